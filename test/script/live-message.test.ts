import { expect, test } from "vitest";
import { type DialectDefinition, registerDialect, scriptedModel } from "../../src/index.js";

/** A message that keeps its state where no copy from outside can reach it. */
class Note {
  kind = "note";
  #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  get text() {
    return this.#text;
  }
  rewrite(text: string) {
    this.#text = text;
  }
}

const notes: DialectDefinition = {
  name: "notes",
  detect: (value) => (Array.isArray(value) && value.every((message) => message instanceof Note) ? "yes" : "no"),
  snapshot: (message) => new Note((message as Note).text),
  read: () => ({ dialect: "notes", messages: [] }),
  write: () => ({ messages: [], lost: [] }),
  writeTurn: () => undefined,
  writeResults: () => undefined,
  rules: [],
};

test("a live message is copied as its dialect says, private fields included", async () => {
  const note = new Note("before");
  const without = scriptedModel<Note>("hi");
  await without([note]);
  expect(without.seen[0]![0]).toBe(note);

  registerDialect(notes);
  const model = scriptedModel<Note>("hi", "again");
  await model([note]);
  note.rewrite("after");
  await model([note]);
  expect(model.seen.map(([seen]) => seen!.text)).toEqual(["before", "after"]);
});
