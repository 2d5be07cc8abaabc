export { modelFetch } from "./model-fetch.js";
export type { ServeOptions } from "./options.js";
export { type ServedModel, type ServeModelOptions, serveModel } from "./serve-model.js";
export type { When } from "./when.js";
