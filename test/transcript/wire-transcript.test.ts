import { expect, test } from "vitest";
import { openConversation, readConversation } from "../../src/conversation/index.js";
import { lastMessage, messagesOf } from "../../src/transcript/wire-transcript.js";

const QUESTION = { role: "user", content: "Is the ice thick enough?" };
const ANSWER = { role: "assistant", content: "Twelve centimetres: yes." };

test("a message is one object to all who hold it, looked at or listed", () => {
  const { transcript } = openConversation([QUESTION, ANSWER], "the test");
  const looked = messagesOf(transcript).glimpse(0);
  const last = lastMessage(transcript);
  expect(messagesOf(transcript).glimpse(1)).toBe(last);
  expect(transcript.messages).toEqual([looked, last]);
  expect(transcript.messages[1]).toBe(last);
  expect(transcript.messages).toBe(transcript.messages);
});

test("messages appended to the list are none of the transcript's", () => {
  const history = [QUESTION];
  const { transcript } = openConversation(history, "the test");
  history.push(ANSWER);
  expect(transcript.messages.map(({ wire }) => wire)).toEqual([QUESTION]);
});

test("a transcript that is handed out keeps to the messages it was read from", () => {
  const history = [QUESTION, ANSWER];
  const { transcript } = readConversation(history);
  history.splice(0, 2, { role: "user", content: "And now?" });
  expect(transcript.messages.map(({ wire }) => wire)).toEqual([QUESTION, ANSWER]);
});

test("a copy of a transcript has the messages too", () => {
  const { transcript } = openConversation([QUESTION, ANSWER], "the test");
  const copy = { ...transcript, dialect: "another" };
  expect(copy.messages).toEqual(transcript.messages);
  expect(messagesOf(copy).glimpse(1)).toBe(transcript.messages[1]);
  expect(lastMessage(copy)).toBe(transcript.messages[1]);
});

test("an empty transcript has no last message", () => {
  expect(lastMessage(openConversation([], "the test").transcript)).toBeUndefined();
});
