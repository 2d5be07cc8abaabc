export { requireCheckOptions } from "./check-options.js";
export {
  asList,
  type Conversation,
  checkConversation,
  findingsIn,
  type OpenConversation,
  openConversation,
  readConversation,
} from "./conversation.js";
export { describe, findMessages, isThenable, type Subject } from "./subject.js";
export { withoutSurprise } from "./surprise.js";
