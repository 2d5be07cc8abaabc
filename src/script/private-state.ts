import { isRoot } from "../json.js";

/**
 * Whether an instance has state that no copy can reach: a method called on a copy of it would throw.
 *
 * Nothing but the source of a class tells of its private fields, written as such or as compilers write them for older
 * engines. An object that shows no key of its own keeps its state in slots: AbortSignal, URL, Promise, Blob. So does an
 * instance of a class that extends a built-in one, whatever keys it adds.
 */
export function keepsPrivateState(value: object): boolean {
  if (Object.getOwnPropertyNames(value).length === 0) return true;
  for (let prototype = Object.getPrototypeOf(value); !isRoot(prototype); prototype = Object.getPrototypeOf(prototype)) {
    const maker: unknown = Object.hasOwn(prototype, "constructor") && prototype.constructor;
    if (typeof maker === "function" && hidesState(maker)) return true;
  }
  return false;
}

const known = new WeakMap<object, boolean>();

// biome-ignore lint/complexity/noBannedTypes: whatever made the instance.
function hidesState(maker: Function): boolean {
  const answer = known.get(maker) ?? readSource(maker);
  known.set(maker, answer);
  return answer;
}

const PRIVATE_FIELD = /\.#[\p{ID_Start}$_]|#[\p{ID_Continue}$]+ in /u;
const COMPILED_PRIVATE_FIELD = /class_?private_?(?:field|method)|__private(?:Add|Get|Set|Method)/i;

// biome-ignore lint/complexity/noBannedTypes: as above.
function readSource(maker: Function): boolean {
  const source = Function.prototype.toString.call(maker);
  // All an Error hides is that it is one.
  if (/\[native code\]\s*\}$/.test(source)) return !/Error$/.test(maker.name);
  return PRIVATE_FIELD.test(source) || COMPILED_PRIVATE_FIELD.test(source);
}
