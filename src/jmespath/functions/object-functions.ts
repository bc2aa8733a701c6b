import type { Steps } from "../../kit/loop-turns.js";
import { type Fuel, Long } from "../fuel.js";
import { memberValuesSteps } from "../lists.js";
import { type JsonObject, keysOf, setMember, typeOf } from "../values.js";
import type { FunctionRow } from "./signature.js";

export const objectFunctions: Readonly<Record<string, FunctionRow>> = {
  keys: { parameters: ["object"], call: ({ args: [object], fuel }) => keysOf(object as JsonObject, fuel) },
  values: {
    parameters: ["object"],
    call: ({ args: [object], fuel }) => new Long("element copies", memberValuesSteps(object as JsonObject, fuel)),
  },
  merge: {
    parameters: ["object"],
    variadic: true,
    call: ({ args, fuel }) => new Long("element copies", mergedSteps(args as readonly JsonObject[], fuel)),
  },
  type: { parameters: ["any"], call: ({ args: [value] }) => typeOf(value) },
};

/** Merges the members of all objects; a later member replaces an earlier one of the same name. */
function* mergedSteps(objects: readonly JsonObject[], fuel: Fuel): Steps<JsonObject> {
  const merged: Record<string, unknown> = {};
  for (const object of objects) {
    for (const key of keysOf(object, fuel)) {
      // A member costs four units, because in a large object it takes about 30 bytes and is copied again when the hash
      // table grows.
      if (fuel.spend(4)) yield;
      setMember(merged, key, object[key]);
    }
  }
  return merged;
}
