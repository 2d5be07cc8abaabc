export { modelFetch } from "./model-fetch.js";
export type { ServeOptions } from "./options.js";
export { speakAs } from "./speak-as.js";
