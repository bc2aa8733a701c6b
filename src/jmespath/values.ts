import type { Fuel } from "./fuel.js";

export type JsonType = "null" | "boolean" | "number" | "string" | "array" | "object";
export type JsonObject = Readonly<Record<string, unknown>>;

/** From this many keys on, an object is kept as a hash table, whose keys take some 250 ns each to list. */
const LARGE_KEYS = 128;
/** Keys of large objects once listed: they cannot be listed in slices, and no value changes once it can be seen. */
const largeKeys = new WeakMap<JsonObject, readonly string[]>();

export function typeOf(value: unknown): JsonType {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "array";
  // A JSON value has no other types.
  return typeof value as JsonType;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object's own keys in order, charged by their number. */
export function keysOf(object: JsonObject, fuel: Fuel): readonly string[] {
  const keys = largeKeys.get(object) ?? Object.keys(object);
  // The same charge whether they are listed now or were before: an expression costs the same each time.
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

/** A reader of one member; null when the value is no object or has no such member of its own. */
export function memberReader(name: string): (value: unknown) => unknown {
  // Only names that every object inherits need the slower look for an own member.
  if (name in Object.prototype) return (value) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : null);
  return (value) => (isObject(value) ? (value[name] ?? null) : null);
}

/** Sets an own member whatever its name: assigning `__proto__` would change the prototype instead. */
export function setMember(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") target[key] = value;
  else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}
