import { listFunctions } from "./list-functions.js";
import { numberFunctions } from "./number-functions.js";
import { objectFunctions } from "./object-functions.js";
import type { FunctionRow } from "./signature.js";
import { textFunctions } from "./text-functions.js";

/** Every function of the language by name. This is a map, so that inherited names such as `toString` are not found. */
export const functionTable: ReadonlyMap<string, FunctionRow> = new Map(
  Object.entries({ ...numberFunctions, ...textFunctions, ...listFunctions, ...objectFunctions }),
);
