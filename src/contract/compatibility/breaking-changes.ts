import { isDeepStrictEqual } from "node:util";
import { entriesOf, type Json, listOf, objectOf, resolved } from "./json-document.js";
import { type Documents, type Place, placeOf, sameKeywords, sentence } from "./place.js";
import { schemaChanges } from "./schema-changes.js";

const METHODS = ["get", "head", "post", "put", "patch", "delete", "options", "trace"];

/**
 * Lists the breaking changes between two OpenAPI 3.1 documents, each as a sentence that names the place. Existing
 * callers must keep working: their requests are still accepted, and the members that they read still exist with the
 * same type. New members and new enum values of an answer are additive, because clients ignore unknown ones. A change
 * of a keyword without a comparison of its own, such as `not`, is treated as breaking. Keywords that neither
 * `schema-changes.ts` nor this file mentions are ignored.
 */
export function breakingChanges(released: unknown, current: unknown): readonly string[] {
  const documents = { released: objectOf(released), current: objectOf(current) };
  return [...schemeChanges(documents), ...pathChanges(documents)];
}

/**
 * Reports security schemes that kept their name but changed their meaning. A removed scheme is reported at the
 * operations that used it.
 */
function schemeChanges({ released, current }: Documents): string[] {
  const after = objectOf(objectOf(current["components"])["securitySchemes"]);
  return entriesOf(objectOf(released["components"])["securitySchemes"])
    .filter(([name, scheme]) => name in after && !isDeepStrictEqual(meaningOf(scheme), meaningOf(after[name])))
    .map(([name]) => `security scheme ${name}: its definition changed`);
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

/** Checks that every credential that an operation accepted is still accepted on its own. */
function securityChanges(documents: Documents, name: string, released: Json, current: Json): string[] {
  const after = requirementsOf(documents.current, current);
  return requirementsOf(documents.released, released)
    .filter((credential) => !after.some((requirement) => satisfies(credential, requirement)))
    .map((credential) =>
      Object.keys(credential).length === 0
        ? `${name}: needs a credential now`
        : `${name}: ${Object.keys(credential).join(" with ")} is no longer accepted`,
    );
}

/**
 * The security alternatives of an operation, or those of the document if the operation declares none. If neither
 * declares any, returns one empty alternative, which means that no credential is needed.
 */
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

/** Lists the parameters by location and name. A parameter of the operation overrides the same parameter of its path. */
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

/** Compares answers by status. Removing a success status is breaking; removing an error status is not. */
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
