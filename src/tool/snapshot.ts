/**
 * A deep copy of plain data, taken when it is recorded: what the tool does to its objects later changes no record.
 *
 * Class instances, functions and signals keep their identity: a copy of them would be something else.
 */
export function snapshot<T>(value: T): T {
  return copy(value, new Map()) as T;
}

function copy(value: unknown, done: Map<object, unknown>): unknown {
  if (typeof value !== "object" || value === null) return value;
  const earlier = done.get(value);
  if (earlier !== undefined) return earlier;
  if (value instanceof Date) return new Date(value);
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    done.set(value, list);
    for (const item of value) list.push(copy(item, done));
    return list;
  }
  if (value instanceof Map) {
    const map = new Map();
    done.set(value, map);
    for (const [key, item] of value) map.set(copy(key, done), copy(item, done));
    return map;
  }
  if (value instanceof Set) {
    const set = new Set();
    done.set(value, set);
    for (const item of value) set.add(copy(item, done));
    return set;
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  const record = Object.create(prototype);
  done.set(value, record);
  for (const key of Reflect.ownKeys(value)) {
    // Defined, not assigned: a model may well send a key called __proto__.
    const item = copy((value as Record<PropertyKey, unknown>)[key], done);
    Object.defineProperty(record, key, { value: item, writable: true, enumerable: true, configurable: true });
  }
  return record;
}
