export * from "./conversation.js";
