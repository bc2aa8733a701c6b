import { isDeepStrictEqual } from "node:util";
import { destinationOf, entriesOf, type Json, listOf, lostReference, objectOf, resolved } from "./json-document.js";
import { asText, changed, memberOf, type Place, sameKeywords, sentence } from "./place.js";

/** Lists what a schema no longer accepts or promises. */
export function schemaChanges(place: Place, released: unknown, current: unknown): string[] {
  const { documents } = place;
  const pair = [destinationOf(documents.released, released), destinationOf(documents.current, current)] as const;
  if (place.around.some(([before, after]) => before === pair[0] && after === pair[1])) return [];
  const lost = lostReference(documents.current, current);
  if (lost !== undefined) return [sentence(place, `refers to ${lost}, which does not exist`)];
  const before = resolved(documents.released, released);
  const after = resolved(documents.current, current);
  const inside: Place = { ...place, around: [...place.around, pair] };
  if (!isUnion(before) && !isUnion(after)) return ownChanges(inside, before, after);
  const own = isUnion(before) && isUnion(after) ? ownChanges(inside, before, after) : [];
  return [...unionChanges(inside, alternativesOf(released, before), alternativesOf(current, after)), ...own];
}

function isUnion(schema: Json): boolean {
  return "anyOf" in schema || "oneOf" in schema;
}

/** Checks that every alternative of the sender is accepted by an alternative of the receiver. */
function unionChanges(place: Place, before: readonly unknown[], after: readonly unknown[]): string[] {
  const isUnderstood = (alternative: unknown): boolean =>
    place.direction === "request"
      ? after.some((candidate) => schemaChanges(place, alternative, candidate).length === 0)
      : before.some((candidate) => schemaChanges(place, candidate, alternative).length === 0);
  const travelling = place.direction === "request" ? before : after;
  const what = place.direction === "request" ? "is no longer accepted" : "is a new form of the answer";
  return travelling
    .filter((alternative) => !isUnderstood(alternative))
    .map((alternative) => sentence(place, `the alternative ${JSON.stringify(alternative)} ${what}`));
}

/**
 * Returns the alternatives of a schema. If it has none, returns the node itself, whose references are not resolved:
 * `schemaChanges` detects recursion by the identity of nodes, and a resolved copy has another identity.
 */
function alternativesOf(node: unknown, schema: Json): readonly unknown[] {
  return isUnion(schema) ? [...listOf(schema["anyOf"]), ...listOf(schema["oneOf"])] : [node];
}

/** Keywords without a comparison of their own: they must be unchanged. */
const OTHER_KEYWORDS = [
  "not",
  "if",
  "then",
  "else",
  "propertyNames",
  "contains",
  "minContains",
  "maxContains",
  "dependentRequired",
  "dependentSchemas",
  "unevaluatedProperties",
  "unevaluatedItems",
  "contentEncoding",
  "contentMediaType",
];

function ownChanges(place: Place, before: Json, after: Json): string[] {
  const types = typeChanges(place, before, after);
  // After a change of type, differences in bounds and members are not reported.
  if (types.length > 0) return types;
  return [
    ...valueChanges(place, before, after),
    ...boundChanges(place, before, after),
    ...memberChanges(place, before, after),
    ...patternChanges(place, before, after),
    ...otherMemberChanges(place, before, after),
    ...itemChanges(place, before, after),
    ...listChanges(place, "allOf", before, after),
    ...listChanges(place, "prefixItems", before, after),
    ...sameKeywords(place, OTHER_KEYWORDS, before, after),
  ];
}

/**
 * Returns the receiver's schema as `understood` and the sender's as `travelling`. A request is sent by a caller of the
 * released version and received by the current service; a response is sent by the current service and received by that
 * caller.
 */
function sidesOf({ direction }: Place, before: Json, after: Json): { understood: Json; travelling: Json } {
  return direction === "request"
    ? { understood: after, travelling: before }
    : { understood: before, travelling: after };
}

function typeChanges(place: Place, before: Json, after: Json): string[] {
  const { understood, travelling } = sidesOf(place, before, after);
  const acceptedTypes = typesOf(understood);
  const sentTypes = typesOf(travelling);
  const isAccepted = (type: unknown): boolean =>
    acceptedTypes.length === 0 ||
    acceptedTypes.includes(type) ||
    (type === "integer" && acceptedTypes.includes("number"));
  if (sentTypes.length === 0 ? acceptedTypes.length === 0 : sentTypes.every(isAccepted)) return [];
  return [sentence(place, `type changed from ${wordsOf(typesOf(before))} to ${wordsOf(typesOf(after))}`)];
}

/**
 * Returns the types in `type` or, if there is no `type`, the types of the listed values. An empty list means any type.
 */
function typesOf(schema: Json): readonly unknown[] {
  if ("type" in schema) return listOf(schema["type"]);
  return [...new Set((valuesOf(schema) ?? []).map(typeOf))];
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

function wordsOf(types: readonly unknown[]): string {
  return types.length === 0 ? "any" : types.join(" or ");
}

/** Compares values and defaults of requests. An answer may have new values, since clients ignore unknown ones. */
function valueChanges(place: Place, before: Json, after: Json): string[] {
  if (place.direction === "response") return [];
  const [released, current] = [valuesOf(before), valuesOf(after)];
  const isDefaultChanged =
    "default" in before && "default" in after && !isDeepStrictEqual(before["default"], after["default"]);
  return [
    ...(current && !released ? [sentence(place, `takes only ${current.map(asText).join(", ")} now`)] : []),
    ...(released ?? [])
      .filter((value) => current?.some((other) => isDeepStrictEqual(value, other)) === false)
      .map((value) => sentence(place, `the value ${asText(value)} was removed`)),
    ...(isDefaultChanged ? [changed(place, "default", before, after)] : []),
  ];
}

function valuesOf(schema: Json): readonly unknown[] | undefined {
  if ("const" in schema) return [schema["const"]];
  return Array.isArray(schema["enum"]) ? schema["enum"] : undefined;
}

const LOWER_BOUNDS = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];
const UPPER_BOUNDS = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];
const EXACT_BOUNDS = ["pattern", "format", "multipleOf", "uniqueItems"];

function boundChanges(place: Place, before: Json, after: Json): string[] {
  const { understood, travelling } = sidesOf(place, before, after);
  const exceeds = (bound: unknown, value: unknown, sign: number): boolean =>
    typeof bound === "number" && !(typeof value === "number" && sign * value >= sign * bound);
  const exceeded = [
    ...LOWER_BOUNDS.filter((keyword) => exceeds(understood[keyword], travelling[keyword], 1)),
    ...UPPER_BOUNDS.filter((keyword) => exceeds(understood[keyword], travelling[keyword], -1)),
    ...EXACT_BOUNDS.filter(
      (keyword) => (understood[keyword] ?? false) !== false && understood[keyword] !== travelling[keyword],
    ),
  ];
  return exceeded.map((keyword) => changed(place, keyword, before, after));
}

function memberChanges(place: Place, before: Json, after: Json): string[] {
  const members = objectOf(after["properties"]);
  const kept = entriesOf(before["properties"]).flatMap(([name, schema]) => {
    const at = memberOf(place, name);
    return name in members ? schemaChanges(at, schema, members[name]) : [sentence(at, "was removed")];
  });
  return [...kept, ...requiredChanges(place, before, after)];
}

function requiredChanges(place: Place, before: Json, after: Json): string[] {
  const [released, current] = [listOf(before["required"]), listOf(after["required"])];
  const members = objectOf(after["properties"]);
  const names =
    place.direction === "request"
      ? current.filter((name) => !released.includes(name))
      : released.filter((name) => !current.includes(name) && String(name) in members);
  const what = place.direction === "request" ? "is newly required" : "may be missing now";
  return names.map((name) => sentence(memberOf(place, String(name)), what));
}

/** Compares members by the pattern of their name; the patterns themselves must be unchanged. */
function patternChanges(place: Place, before: Json, after: Json): string[] {
  const [released, current] = [objectOf(before["patternProperties"]), objectOf(after["patternProperties"])];
  const patterns = Object.keys(released);
  if (patterns.join("\n") !== Object.keys(current).join("\n"))
    return [changed(place, "patternProperties", before, after)];
  return patterns.flatMap((pattern) =>
    schemaChanges(memberOf(place, `/${pattern}/`), released[pattern], current[pattern]),
  );
}

/**
 * Compares the schemas of additional members, as in a dictionary. In an answer, additional members without a schema are
 * not compared, because clients ignore unknown members.
 */
function otherMemberChanges(place: Place, before: Json, after: Json): string[] {
  const [released, current] = [before["additionalProperties"] ?? true, after["additionalProperties"] ?? true];
  if (released === false || (place.direction === "response" && released === true)) return [];
  const at = memberOf(place, "*");
  return current === false ? [sentence(at, "is no longer accepted")] : schemaChanges(at, released, current);
}

function itemChanges(place: Place, before: Json, after: Json): string[] {
  if (!("items" in before) && !("items" in after)) return [];
  return schemaChanges({ ...place, member: `${place.member}[]` }, before["items"], after["items"]);
}

/** Compares lists of schemas by position. */
function listChanges(place: Place, keyword: string, before: Json, after: Json): string[] {
  const [released, current] = [listOf(before[keyword]), listOf(after[keyword])];
  if (released.length !== current.length) return [changed(place, keyword, before, after)];
  return released.flatMap((schema, index) => schemaChanges(place, schema, current[index]));
}
