import type { Fuel } from "./fuel.js";

export type JsonType = "null" | "boolean" | "number" | "string" | "array" | "object";
export type JsonObject = Readonly<Record<string, unknown>>;

/** Above this number of keys, V8 stores an object as a hash table, whose keys take about 250 ns each to list. */
const LARGE_KEYS = 128;
/**
 * Cached keys of large objects, because listing them is slow and cannot be done in slices. The cache stays valid,
 * because values never change once they are visible.
 */
const largeKeys = new WeakMap<JsonObject, readonly string[]>();

export function typeOf(value: unknown): JsonType {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "array";
  // The cast is safe, because a JSON value has no other types.
  return typeof value as JsonType;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object's own keys, in the order of `Object.keys`. The number of keys determines how much fuel is spent. */
export function keysOf(object: JsonObject, fuel: Fuel): readonly string[] {
  const keys = largeKeys.get(object) ?? Object.keys(object);
  // Cached keys cost the same fuel as uncached ones, so that an expression always costs the same.
  fuel.spend(keys.length > LARGE_KEYS ? keys.length * 4 : keys.length);
  if (keys.length > LARGE_KEYS) largeKeys.set(object, keys);
  return keys;
}

/** False for null, false, "", [] and {}; true for everything else, 0 included. */
export function isTruthy(value: unknown, fuel: Fuel): boolean {
  if (value === null || value === undefined || value === false || value === "") return false;
  if (typeof value !== "object") return true;
  return Array.isArray(value) ? value.length > 0 : keysOf(value as JsonObject, fuel).length > 0;
}

/**
 * Creates a reader of one member; the result is null unless the value is an object with its own member of that name.
 */
export function memberReader(name: string): (value: unknown) => unknown {
  // Only names that every object inherits need the slower own-member check.
  if (name in Object.prototype) return (value) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : null);
  return (value) => (isObject(value) ? (value[name] ?? null) : null);
}

/** Sets an own member of any name. An assignment to `__proto__` would change the prototype instead. */
export function setMember(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") target[key] = value;
  else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}
