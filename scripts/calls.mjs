// The calls that the OpenAPI document describes, in the form that client generators need.

/** Content types of pages and their scripts, which only browsers use. */
const PAGES = ["text/html", "text/javascript"];
/** Content types of an answer that is one JSON value. */
const JSON_TYPES = ["application/json", "application/linkset+json"];
const FORMATS = {
  "text/csv": "csv",
  "application/x-ndjson": "ndjson",
  "application/geo+json": "geojson",
  "application/atom+xml": "atom",
  "application/feed+json": "jsonfeed",
};

/**
 * Returns every call of the document, in the document's order, except those that serve pages to browsers.
 *
 * - `name` (the operation id), `service` (the tag), `method`, `path`, and `operation` (the whole operation object)
 * - `kind`: `read` (JSON), `write`, `form` (a write with a form as its body), `stream` or `text`
 * - `contentTypes`: the content types of a successful answer
 * - `query`: the parameters of the query, with their references resolved. If `kind` is `text`, the parameter `format`
 *   allows only the formats of this call
 * - `isKeyed`: true if the call takes an `Idempotency-Key`
 * - `request`, `schema`, `event`: the schemas of the body, of the answer, and of a stream's changes
 * - `formats`: the formats besides JSON; none for `text`
 * - `rows`: the path of the answer's rows, such as `earthquakes`, or `categories.*.items` for rows in groups
 * - `row`: the schema of a row
 * - `nextCursor`: the path of the cursor of the next page, for polls and for lists in pages
 * - `isPoll`: true for a poll of a log
 * - `failures`: status and description of each documented failure
 */
export function callsIn(document) {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => callOf(document, { path, method, operation })),
  );
  const served = calls.filter(({ contentTypes }) => !contentTypes.some((type) => PAGES.includes(type)));
  for (const { name } of served) {
    if (served.filter((call) => call.name === name).length > 1) throw new Error(`two calls are named ${name}`);
  }
  return served;
}

/** Returns the value itself or, if it is a reference, the value that it points to. */
export function resolvedIn(document, value) {
  if (value?.$ref === undefined) return value;
  const names = value.$ref.replace(/^#\//, "").split("/");
  return names.reduce((node, name) => node[name], document);
}

function callOf(document, { path, method, operation }) {
  const { operationId: name, tags, parameters = [], requestBody, responses } = operation;
  const { content } = resolvedIn(document, responses["200"] ?? responses["201"]);
  const contentTypes = Object.keys(content);
  const fields = parameters.map((parameter) => resolvedIn(document, parameter));
  const schema = JSON_TYPES.map((type) => content[type]?.schema).find((own) => own !== undefined);
  // The schema of a 200 to a GET has two alternatives: the answer itself and its projection.
  const own = schema?.anyOf?.[0] ?? schema;
  const kind = kindOf(requestBody, contentTypes);
  const formats = contentTypes.flatMap((type) => FORMATS[type] ?? []);
  return {
    name,
    service: tags[0],
    method: method.toUpperCase(),
    path,
    operation,
    kind,
    contentTypes,
    query: fields
      .filter((field) => field.in === "query")
      .map((field) => (kind === "text" && field.name === "format" ? { ...field, schema: { enum: formats } } : field)),
    isKeyed: fields.some((field) => field.name === "Idempotency-Key"),
    request: Object.values(requestBody?.content ?? {})[0]?.schema,
    schema: own,
    event: content["text/event-stream"]?.schema.contentSchema,
    formats: kind === "text" ? [] : formats,
    ...listOf(document, operation, fields, resolvedIn(document, own)?.properties ?? {}),
    failures: failuresOf(document, responses),
  };
}

function kindOf(requestBody, contentTypes) {
  if (requestBody !== undefined) return "application/json" in requestBody.content ? "write" : "form";
  if (contentTypes.includes("text/event-stream")) return "stream";
  return contentTypes.some((type) => JSON_TYPES.includes(type)) ? "read" : "text";
}

/**
 * Returns the members of a call that describe the list in its answer: `rows`, `row`, `nextCursor` and `isPoll`. If the
 * answer has no list, returns only `isPoll`.
 */
function listOf(document, operation, fields, members) {
  const rows = operation["x-rows"] ?? onlyListOf(members);
  const isPoll = "pollState" in members;
  if (rows === undefined) return { isPoll };
  const isPaged = fields.some(({ name }) => name === "cursor");
  return {
    rows,
    row: rowSchema(document, members, rows.split(".")),
    nextCursor: isPaged ? ("nextCursor" in members ? "nextCursor" : "pagination.nextCursor") : undefined,
    isPoll,
  };
}

/**
 * Returns the name of the list in a paged answer, for an operation without `x-rows`; undefined if the answer has no
 * pages. Throws if a paged answer has no list or several.
 */
function onlyListOf(members) {
  const lists = Object.keys(members).filter((name) => members[name].type === "array");
  if (!("nextCursor" in members)) return undefined;
  if (lists.length !== 1) throw new Error(`a page must have one list, has ${lists.join(", ")}`);
  return lists[0];
}

/** Returns the schema of the rows at a path; undefined if the document has no schema for them. */
function rowSchema(document, members, [name, ...inner]) {
  const member = resolvedIn(document, members[name]);
  if (inner.length === 0) return member?.items;
  // For rows in groups, `*` stands for the group names.
  const group = resolvedIn(document, Object.values(member.patternProperties)[0]);
  return rowSchema(document, group.properties, inner.slice(1));
}

function failuresOf(document, responses) {
  return Object.entries(responses)
    .filter(([status]) => /^[45]/.test(status))
    .map(([status, response]) => ({ status: Number(status), description: resolvedIn(document, response).description }));
}
