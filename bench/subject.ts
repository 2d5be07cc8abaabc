/** What the bench measures. */
export { checkConversation, openConversation } from "../src/conversation/conversation.js";
export { matchers } from "../src/matchers/index.js";
