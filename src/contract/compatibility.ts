import { isDeepStrictEqual } from "node:util";

type Json = Readonly<Record<string, unknown>>;

/** The released document and the one that is to follow it; references are looked up in their own. */
interface Documents {
  readonly released: Json;
  readonly current: Json;
}

/** Which way the values of a schema travel: from callers to us, or from us to callers. */
type Direction = "request" | "response";

/** A part of the contract that is compared, with the words that a sentence needs to name it. */
interface Place {
  readonly documents: Documents;
  readonly direction: Direction;
  readonly name: string;
  /** Path of the member inside the body or value; empty for the whole. */
  readonly member: string;
  /** The pairs of schemas around this one, so that schemas that contain themselves come to an end. */
  readonly around: readonly (readonly [released: unknown, current: unknown])[];
}

const METHODS = ["get", "head", "post", "put", "patch", "delete", "options", "trace"];

/**
 * The changes between two OpenAPI 3.1 documents that are not additive, one sentence each that names the place. Callers must
 * be able to go on as they are: what they send is still taken, and what they read is still there and of its type. New
 * members and new enum values of an answer are additive, because clients ignore what they do not know. A keyword that is
 * not understood here counts as breaking when it changed.
 */
export function breakingChanges(released: unknown, current: unknown): readonly string[] {
  const documents = { released: objectOf(released), current: objectOf(current) };
  return [...schemeChanges(documents), ...pathChanges(documents)];
}

/** A security scheme that means something else under its old name. A removed one shows at its operations. */
function schemeChanges({ released, current }: Documents): string[] {
  const after = objectOf(objectOf(current["components"])["securitySchemes"]);
  return entriesOf(objectOf(released["components"])["securitySchemes"])
    .filter(([name, scheme]) => name in after && !isDeepStrictEqual(meaningOf(scheme), meaningOf(after[name])))
    .map(([name]) => `security scheme ${name}: means something else`);
}

function meaningOf(scheme: unknown): Json {
  const { description: _, ...meaning } = objectOf(scheme);
  return meaning;
}

function pathChanges(documents: Documents): string[] {
  const { released, current } = documents;
  const after = objectOf(current["paths"]);
  return entriesOf(released["paths"]).flatMap(([path, item]) => {
    if (!(path in after)) return [`${path}: the path was removed`];
    const items = { released: resolved(released, item), current: resolved(current, after[path]) };
    return METHODS.filter((method) => method in items.released).flatMap((method) =>
      operationChanges(documents, `${method.toUpperCase()} ${path}`, method, items),
    );
  });
}

function operationChanges(documents: Documents, name: string, method: string, items: Documents): string[] {
  if (!(method in items.current)) return [`${name}: the method was removed`];
  const released = objectOf(items.released[method]);
  const current = objectOf(items.current[method]);
  return [
    ...securityChanges(documents, name, released, current),
    ...parameterChanges(
      documents,
      name,
      parametersOf(documents.released, items.released, released),
      parametersOf(documents.current, items.current, current),
    ),
    ...bodyChanges(documents, name, released["requestBody"], current["requestBody"]),
    ...responseChanges(documents, name, objectOf(released["responses"]), objectOf(current["responses"])),
  ];
}

/** Every credential that opened an operation opens it still, without another one beside it. */
function securityChanges(documents: Documents, name: string, released: Json, current: Json): string[] {
  const after = requirementsOf(documents.current, current);
  return requirementsOf(documents.released, released)
    .filter((credential) => !after.some((requirement) => satisfies(credential, requirement)))
    .map((credential) =>
      Object.keys(credential).length === 0
        ? `${name}: needs a credential now`
        : `${name}: ${Object.keys(credential).join(" with ")} no longer opens it`,
    );
}

/** The alternatives of an operation, else of its document; no alternatives means one that asks for nothing. */
function requirementsOf(document: Json, operation: Json): Json[] {
  const requirements = listOf(operation["security"] ?? document["security"]).map(objectOf);
  return requirements.length > 0 ? requirements : [{}];
}

function satisfies(credential: Json, requirement: Json): boolean {
  return Object.entries(requirement).every(
    ([scheme, scopes]) =>
      scheme in credential && listOf(scopes).every((scope) => listOf(credential[scheme]).includes(scope)),
  );
}

type ParameterTable = ReadonlyMap<string, Json>;

/** Parameters by place and name; those of the operation hide those of its path. */
function parametersOf(document: Json, item: Json, operation: Json): ParameterTable {
  return new Map(
    [...listOf(item["parameters"]), ...listOf(operation["parameters"])]
      .map((parameter) => resolved(document, parameter))
      .map((parameter) => [`${parameter["in"]} parameter \`${parameter["name"]}\``, parameter]),
  );
}

const PARAMETER_FORMS = ["style", "explode", "allowReserved"];

function parameterChanges(
  documents: Documents,
  name: string,
  released: ParameterTable,
  current: ParameterTable,
): string[] {
  const changes = [...released].flatMap(([key, before]) => {
    const place = placeOf(documents, "request", `${name}, ${key}`);
    const after = current.get(key);
    if (!after) return [sentence(place, "was removed")];
    return [
      ...(isRequired(after) && !isRequired(before) ? [sentence(place, "is newly required")] : []),
      ...sameKeywords(place, PARAMETER_FORMS, before, after),
      ...schemaChanges(place, before["schema"], after["schema"]),
      ...contentChanges(place, before["content"], after["content"]),
    ];
  });
  const added = [...current].filter(([key, parameter]) => !released.has(key) && isRequired(parameter));
  return [...changes, ...added.map(([key]) => `${name}, ${key}: is new and required`)];
}

function bodyChanges(documents: Documents, name: string, released: unknown, current: unknown): string[] {
  const place = placeOf(documents, "request", `${name}, request body`);
  const before = resolved(documents.released, released);
  const after = resolved(documents.current, current);
  if (released !== undefined && current === undefined) return [sentence(place, "was removed")];
  return [
    ...(isRequired(after) && !isRequired(before) ? [sentence(place, "is newly required")] : []),
    ...contentChanges(place, before["content"], after["content"]),
  ];
}

function isRequired(parameterOrBody: Json): boolean {
  return parameterOrBody["required"] === true;
}

/** An error that no longer happens breaks nobody; a success that no longer happens does. */
function responseChanges(documents: Documents, name: string, released: Json, current: Json): string[] {
  return Object.entries(released).flatMap(([status, response]) => {
    const place = placeOf(documents, "response", `${name}, answer ${status}`);
    if (!(status in current)) return status.startsWith("2") ? [sentence(place, "was removed")] : [];
    const before = resolved(documents.released, response);
    const after = resolved(documents.current, current[status]);
    return [
      ...headerChanges(place, before["headers"], after["headers"]),
      ...contentChanges(place, before["content"], after["content"]),
    ];
  });
}

function headerChanges(place: Place, released: unknown, current: unknown): string[] {
  const { documents } = place;
  const after = objectOf(current);
  return entriesOf(released).flatMap(([name, header]) => {
    const at = { ...place, name: `${place.name}, header \`${name}\`` };
    if (!(name in after)) return [sentence(at, "was removed")];
    const schemaOf = (document: Json, node: unknown): unknown => resolved(document, node)["schema"];
    return schemaChanges(at, schemaOf(documents.released, header), schemaOf(documents.current, after[name]));
  });
}

function contentChanges(place: Place, released: unknown, current: unknown): string[] {
  const after = objectOf(current);
  return entriesOf(released).flatMap(([type, media]) =>
    type in after
      ? schemaChanges(place, objectOf(media)["schema"], objectOf(after[type])["schema"])
      : [sentence(place, `the content type ${type} was removed`)],
  );
}

function schemaChanges(place: Place, released: unknown, current: unknown): string[] {
  const { documents } = place;
  const pair = [destinationOf(documents.released, released), destinationOf(documents.current, current)] as const;
  if (place.around.some(([before, after]) => before === pair[0] && after === pair[1])) return [];
  const lost = lostReference(documents.current, current);
  if (lost !== undefined) return [sentence(place, `refers to ${lost}, which is not there`)];
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

/** Every alternative that travels must be understood by one of those on the other side. */
function unionChanges(place: Place, before: readonly unknown[], after: readonly unknown[]): string[] {
  const isUnderstood = (alternative: unknown): boolean =>
    place.direction === "request"
      ? after.some((candidate) => schemaChanges(place, alternative, candidate).length === 0)
      : before.some((candidate) => schemaChanges(place, candidate, alternative).length === 0);
  const travelling = place.direction === "request" ? before : after;
  const what = place.direction === "request" ? "is no longer taken" : "is a new form of the answer";
  return travelling
    .filter((alternative) => !isUnderstood(alternative))
    .map((alternative) => sentence(place, `the alternative ${JSON.stringify(alternative)} ${what}`));
}

/** The node itself when what it resolves to has no alternatives: nodes, unlike what they resolve to, are known again. */
function alternativesOf(node: unknown, schema: Json): readonly unknown[] {
  return isUnion(schema) ? [...listOf(schema["anyOf"]), ...listOf(schema["oneOf"])] : [node];
}

/** Keywords that are not compared here must be as they were. */
const OTHER_KEYWORDS = [
  "not",
  "if",
  "then",
  "else",
  "patternProperties",
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
  // Bounds and members of another type are not worth a sentence each.
  if (types.length > 0) return types;
  return [
    ...valueChanges(place, before, after),
    ...boundChanges(place, before, after),
    ...memberChanges(place, before, after),
    ...otherMemberChanges(place, before, after),
    ...itemChanges(place, before, after),
    ...listChanges(place, "allOf", before, after),
    ...listChanges(place, "prefixItems", before, after),
    ...sameKeywords(place, OTHER_KEYWORDS, before, after),
  ];
}

/** The schema that decides what is understood, and the one that says what travels. */
function sidesOf({ direction }: Place, before: Json, after: Json): { understood: Json; travelling: Json } {
  return direction === "request"
    ? { understood: after, travelling: before }
    : { understood: before, travelling: after };
}

function typeChanges(place: Place, before: Json, after: Json): string[] {
  const { understood, travelling } = sidesOf(place, before, after);
  const taken = typesOf(understood);
  const sent = typesOf(travelling);
  const isTaken = (type: unknown): boolean =>
    taken.length === 0 || taken.includes(type) || (type === "integer" && taken.includes("number"));
  if (sent.length === 0 ? taken.length === 0 : sent.every(isTaken)) return [];
  return [sentence(place, `its type changed from ${wordsOf(typesOf(before))} to ${wordsOf(typesOf(after))}`)];
}

/** The types that a schema names, or that its values have; none means any. */
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

/** Values and default of what callers send. An answer may have new values, since clients ignore those they do not know. */
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
  const exceeds = (bound: unknown, given: unknown, sign: number): boolean =>
    typeof bound === "number" && !(typeof given === "number" && sign * given >= sign * bound);
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

/** Members without a name of their own, as in a dictionary. Clients ignore those that they do not know. */
function otherMemberChanges(place: Place, before: Json, after: Json): string[] {
  const [released, current] = [before["additionalProperties"] ?? true, after["additionalProperties"] ?? true];
  if (released === false || (place.direction === "response" && released === true)) return [];
  const at = memberOf(place, "*");
  return current === false ? [sentence(at, "is no longer taken")] : schemaChanges(at, released, current);
}

function itemChanges(place: Place, before: Json, after: Json): string[] {
  if (!("items" in before) && !("items" in after)) return [];
  return schemaChanges({ ...place, member: `${place.member}[]` }, before["items"], after["items"]);
}

/** Lists of schemas in which the position says which belongs to which. */
function listChanges(place: Place, keyword: string, before: Json, after: Json): string[] {
  const [released, current] = [listOf(before[keyword]), listOf(after[keyword])];
  if (released.length !== current.length) return [changed(place, keyword, before, after)];
  return released.flatMap((schema, index) => schemaChanges(place, schema, current[index]));
}

function sameKeywords(place: Place, keywords: readonly string[], before: Json, after: Json): string[] {
  return keywords
    .filter((keyword) => !isDeepStrictEqual(before[keyword], after[keyword]))
    .map((keyword) => changed(place, keyword, before, after));
}

function placeOf(documents: Documents, direction: Direction, name: string): Place {
  return { documents, direction, name, member: "", around: [] };
}

function memberOf(place: Place, name: string): Place {
  return { ...place, member: place.member === "" ? name : `${place.member}.${name}` };
}

function sentence({ name, member }: Place, what: string): string {
  return member === "" ? `${name}: ${what}` : `${name}: \`${member}\` ${what}`;
}

function changed(place: Place, keyword: string, before: Json, after: Json): string {
  return sentence(place, `${keyword} changed from ${asText(before[keyword])} to ${asText(after[keyword])}`);
}

function asText(value: unknown): string {
  return value === undefined ? "none" : JSON.stringify(value);
}

/** The object behind any number of references, with what stands beside them; `{}` where they lead nowhere or in circles. */
function resolved(document: Json, node: unknown, followed: readonly string[] = []): Json {
  if (node === false) return { not: {} };
  const { $ref: reference, ...beside } = objectOf(node);
  if (typeof reference !== "string") return beside;
  if (followed.includes(reference)) return {};
  return { ...resolved(document, targetOf(document, reference), [...followed, reference]), ...beside };
}

function lostReference(document: Json, node: unknown): string | undefined {
  const { $ref: reference } = objectOf(node);
  return typeof reference === "string" && targetOf(document, reference) === undefined ? reference : undefined;
}

/** The node at which references end or have something beside them: by it a schema is known again. */
function destinationOf(document: Json, node: unknown): unknown {
  const seen = new Set<unknown>();
  let destination = node;
  for (;;) {
    const { $ref: reference, ...beside } = objectOf(destination);
    if (typeof reference !== "string" || Object.keys(beside).length > 0 || seen.has(destination)) return destination;
    seen.add(destination);
    destination = targetOf(document, reference);
  }
}

/** What a JSON pointer of this document names. */
function targetOf(document: Json, reference: string): unknown {
  if (!reference.startsWith("#/")) return undefined;
  const keys = reference.slice(2).split("/");
  return keys.reduce<unknown>(
    (node, key) => objectOf(node)[decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~")],
    document,
  );
}

function objectOf(node: unknown): Json {
  return typeof node === "object" && node !== null && !Array.isArray(node) ? (node as Json) : {};
}

function entriesOf(node: unknown): [string, unknown][] {
  return Object.entries(objectOf(node));
}

/** A list as it is, one value as a list of it, nothing as an empty list. */
function listOf(node: unknown): readonly unknown[] {
  if (Array.isArray(node)) return node;
  return node === undefined ? [] : [node];
}
