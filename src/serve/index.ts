export { modelFetch } from "./model-fetch.js";
export type { ServeModelOptions, ServeOptions } from "./options.js";
export { type ServedModel, serveModel } from "./serve-model.js";
export type { When } from "./when.js";
