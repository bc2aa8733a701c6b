import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import type { Violation } from "../contract/failures.js";

/** More would not help anybody to mend a request. */
const VIOLATIONS_MAX = 20;

const compiled = new WeakMap<TSchema, ReturnType<typeof Compile>>();

/** What a JSON value has that its schema refuses; fields are named as in `operations[3].id`. */
export function violationsOf(schema: TSchema, input: unknown): readonly Violation[] {
  let validator = compiled.get(schema);
  if (!validator) {
    validator = Compile(schema);
    compiled.set(schema, validator);
  }
  if (validator.Check(input)) return [];
  const byField = new Map<string, Violation>();
  for (const { instancePath, keyword, params, message } of validator.Errors(input)) {
    const missing =
      keyword === "required"
        ? (params as { readonly requiredProperties?: readonly string[] }).requiredProperties
        : undefined;
    for (const violation of missing?.map((name) => isRequired(instancePath, name)) ?? [
      { field: fieldOf(instancePath), description: message },
    ]) {
      if (!byField.has(violation.field) && byField.size < VIOLATIONS_MAX) byField.set(violation.field, violation);
    }
  }
  return [...byField.values()];
}

function isRequired(path: string, name: string): Violation {
  const holder = fieldOf(path);
  return { field: holder === "" ? name : `${holder}.${name}`, description: "is required" };
}

/** `/operations/3/id` as `operations[3].id`. */
function fieldOf(path: string): string {
  return path
    .split("/")
    .slice(1)
    .map((piece) => piece.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce(
      (field, piece) => (/^\d+$/.test(piece) ? `${field}[${piece}]` : field === "" ? piece : `${field}.${piece}`),
      "",
    );
}
