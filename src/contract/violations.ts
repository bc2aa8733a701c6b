import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { hasNullCharacter, NO_NULL_CHARACTER } from "../kit/null-character.js";
import type { Violation } from "./failures.js";

/**
 * Maximum number of violations reported for one request; a longer list would not help the caller to fix the request.
 */
const VIOLATIONS_MAX = 10;

const compiled = new WeakMap<TSchema, ReturnType<typeof Compile>>();

/**
 * Returns the violations of a schema in a JSON value, at most ten. Fields are named as in `operations[3].id`. The
 * lengths of lists are checked first: a list that is too long is refused before its items are validated.
 */
export function violationsOf(schema: TSchema, input: unknown): readonly Violation[] {
  const tooLong = longListsIn(schema, input, "");
  if (tooLong.length > 0) return tooLong.slice(0, VIOLATIONS_MAX);
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

/**
 * Returns a violation for each string with the character U+0000 in a valid value, at most ten. SQLite stores the
 * character and PostgreSQL does not, so no store receives it. Members that the schema does not name are ignored.
 */
export function nullCharactersOf(schema: TSchema, input: unknown): readonly Violation[] {
  return nullCharactersIn(schema, input, "").slice(0, VIOLATIONS_MAX);
}

function nullCharactersIn(schema: TSchema, input: unknown, path: string): readonly Violation[] {
  const { properties = {}, patternProperties = {}, items } = schema as SchemaMembers;
  if (typeof input === "string") {
    return hasNullCharacter(input) ? [{ field: fieldOf(path), description: NO_NULL_CHARACTER }] : [];
  }
  if (Array.isArray(input)) {
    return items ? input.flatMap((item, index) => nullCharactersIn(items, item, `${path}/${index}`)) : [];
  }
  if (typeof input !== "object" || input === null) return [];
  const members = input as Readonly<Record<string, unknown>>;
  const ofMember = (name: string, member: TSchema): readonly Violation[] =>
    hasNullCharacter(name)
      ? [{ field: fieldOf(path), description: `member names ${NO_NULL_CHARACTER}` }]
      : nullCharactersIn(member, members[name], `${path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`);
  const [ofMap] = Object.values(patternProperties);
  return [
    ...Object.entries(properties).flatMap(([name, member]) => ofMember(name, member)),
    ...(ofMap ? Object.keys(members).flatMap((name) => ofMember(name, ofMap)) : []),
  ];
}

/**
 * Finds lists with more items than allowed. Visits only the fields that the schema names, and the items of lists that
 * have a maximum length and do not exceed it, so a huge value does not slow down the search.
 */
function longListsIn(schema: TSchema, input: unknown, path: string): readonly Violation[] {
  const { properties = {}, items, maxItems } = schema as SchemaMembers;
  if (Array.isArray(input)) {
    if (maxItems !== undefined && input.length > maxItems) {
      return [{ field: fieldOf(path), description: `must not have more than ${maxItems} items` }];
    }
    return items && maxItems !== undefined
      ? input.flatMap((item, index) => longListsIn(items, item, `${path}/${index}`))
      : [];
  }
  if (typeof input !== "object" || input === null) return [];
  const members = input as Readonly<Record<string, unknown>>;
  return Object.entries(properties).flatMap(([name, member]) => longListsIn(member, members[name], `${path}/${name}`));
}

interface SchemaMembers {
  readonly properties?: Readonly<Record<string, TSchema>>;
  /** The members of a map, which has one pattern. */
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
  readonly maxItems?: number;
}

function isRequired(path: string, name: string): Violation {
  const holder = fieldOf(path);
  return { field: holder === "" ? name : `${holder}.${name}`, description: "is required" };
}

/** Converts a JSON Pointer to the name of a field: `/operations/3/id` becomes `operations[3].id`. */
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
