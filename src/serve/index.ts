export { modelFetch } from "./model-fetch.js";
export type { ServeOptions } from "./options.js";
