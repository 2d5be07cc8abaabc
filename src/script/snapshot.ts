/**
 * Copies of what belongs to the developer.
 *
 * A copy keeps key order, cycles, prototypes (a live message keeps its methods) and `__proto__` keys. What cannot be
 * copied keeps its identity: functions, and objects whose state no copy can reach, such as an AbortSignal or an instance
 * with private fields. Nothing of the developer's is frozen.
 */

import { isRoot } from "../json.js";
import { keepsPrivateState } from "./private-state.js";

/** What to do with an instance of a class: a live message is copied, a schema object is known by its identity. */
export type Instances = "copy" | "keep";

/**
 * A frozen copy of a value as it is now, which shares with `previous` all that did not change since.
 *
 * @param previous - An earlier snapshot of the same thing. It is returned itself where nothing changed.
 */
export function snapshot<T>(value: T, previous?: unknown, instances: Instances = "copy"): T {
  return new Copier(instances, true).copy(value, previous) as T;
}

/** A copy that its receiver may change. */
export function copyOut<T>(value: T, instances: Instances = "copy"): T {
  return new Copier(instances, false).copy(value, undefined) as T;
}

type Keyed = Record<PropertyKey, unknown>;

class Copier {
  readonly #instances: Instances;
  readonly #freeze: boolean;
  readonly #copies = new Map<object, unknown>();

  constructor(instances: Instances, freeze: boolean) {
    this.#instances = instances;
    this.#freeze = freeze;
  }

  copy(value: unknown, previous: unknown): unknown {
    if (typeof value !== "object" || value === null) return value;
    const copied = this.#copies.get(value);
    if (copied !== undefined) return copied;
    try {
      return this.#copyObject(value, previous);
    } catch {
      // A getter that throws, a revoked proxy, a nesting deeper than the stack: it keeps its identity.
      return this.#remember(value, value);
    }
  }

  #copyObject(value: object, previous: unknown): unknown {
    if (Array.isArray(value)) return this.#fill(value, new Array(value.length), Object.keys(value), previous);
    const prototype = Object.getPrototypeOf(value);
    if (isRoot(prototype)) return this.#fill(value, Object.create(prototype), enumerableKeys(value), previous);
    if (isDate(value)) return sameDate(value, previous) ? previous : new Date(value);
    if (prototype === Map.prototype) return this.#fillMap(value as Map<unknown, unknown>, new Map());
    if (prototype === Set.prototype) return this.#fillSet(value as Set<unknown>, new Set());
    if (isTypedArray(value)) return sameElements(value, previous) ? previous : sliceTyped.call(value);
    if (value instanceof ArrayBuffer) return value.slice(0);
    if (this.#instances === "keep" || keepsPrivateState(value)) return value;
    return this.#fill(value, Object.create(prototype), Reflect.ownKeys(value), previous);
  }

  #fill(source: object, target: object, keys: readonly PropertyKey[], previous: unknown): object {
    this.#remember(source, target);
    const before = isAlike(target, previous) ? previous : undefined;
    let unchanged = before !== undefined && sameKeys(source, keys, before);
    for (const key of keys) {
      const old = before !== undefined && Object.hasOwn(before, key) ? before[key] : undefined;
      const copied = this.copy((source as Keyed)[key], old);
      unchanged &&= Object.is(copied, old);
      write(source, target, key, copied);
    }
    if (unchanged) return this.#remember(source, before!);
    return this.#freeze ? Object.freeze(target) : target;
  }

  #fillMap(source: ReadonlyMap<unknown, unknown>, target: Map<unknown, unknown>): object {
    this.#remember(source, target);
    for (const [key, item] of source) target.set(key, this.copy(item, undefined));
    return target;
  }

  #fillSet(source: ReadonlySet<unknown>, target: Set<unknown>): object {
    this.#remember(source, target);
    for (const item of source) target.add(this.copy(item, undefined));
    return target;
  }

  /** What an object became, for whatever else refers to it: a cycle, above all. */
  #remember(source: object, copied: object): object {
    this.#copies.set(source, copied);
    return copied;
  }
}

function write(source: object, target: object, key: PropertyKey, value: unknown): void {
  const enumerable = Object.prototype.propertyIsEnumerable.call(source, key);
  if (enumerable && key !== "__proto__" && !(key in target)) (target as Keyed)[key] = value;
  // Assignment would lose a key called `__proto__`, and run the setters of a class.
  else Object.defineProperty(target, key, { value, enumerable, writable: true, configurable: true });
}

function enumerableKeys(value: object): PropertyKey[] {
  const keys: PropertyKey[] = Object.keys(value);
  for (const key of Object.getOwnPropertySymbols(value)) {
    if (Object.prototype.propertyIsEnumerable.call(value, key)) keys.push(key);
  }
  return keys;
}

function isAlike(target: object, previous: unknown): previous is Keyed {
  return (
    typeof previous === "object" &&
    previous !== null &&
    Object.getPrototypeOf(previous) === Object.getPrototypeOf(target) &&
    Array.isArray(previous) === Array.isArray(target)
  );
}

function sameKeys(source: object, keys: readonly PropertyKey[], previous: Keyed): boolean {
  if (Array.isArray(source) && source.length !== previous.length) return false;
  const before = Array.isArray(source) ? Object.keys(previous) : Reflect.ownKeys(previous);
  // In order: the order of keys is part of what is sent.
  return before.length === keys.length && before.every((key, index) => key === keys[index]);
}

function isDate(value: unknown): value is Date {
  return value instanceof Date && Object.getPrototypeOf(value) === Date.prototype;
}

function sameDate(value: Date, previous: unknown): boolean {
  return isDate(previous) && Object.is(value.getTime(), previous.getTime());
}

type TypedArray = Uint8Array; // stands for all of them: their methods are the same

function isTypedArray(value: object): value is TypedArray {
  return ArrayBuffer.isView(value) && !(value instanceof DataView);
}

function sameElements(value: TypedArray, previous: unknown): boolean {
  if (typeof previous !== "object" || previous === null || !isTypedArray(previous)) return false;
  if (Object.getPrototypeOf(value) !== Object.getPrototypeOf(previous)) return false;
  return value.length === previous.length && value.every((element, index) => Object.is(element, previous[index]));
}

/** Not the array's own `slice`: that of a Buffer shares its memory. */
const sliceTyped: (this: TypedArray) => TypedArray = Object.getPrototypeOf(Uint8Array.prototype).slice;
