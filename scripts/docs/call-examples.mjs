// The example calls of an operation: curl, the command line, TypeScript and Python.
import { literal, parameterName, snakeCase } from "../python/text.mjs";
import { camelCase } from "../sdk/text.mjs";
import { block } from "./markdown.mjs";

/**
 * Returns the curl examples of a call, and the same examples for the other clients in a collapsed block. For a write
 * that a page sends or that needs a signature, returns a sentence instead. For a call without examples, returns an
 * empty string. `call` is a call that `callsIn` returns, with the `examples` of its declaration or, for a POST, its
 * `write`.
 */
export function callExamples(call) {
  const { write } = call;
  if (write?.page) return "The page behind the link in an email sends this request.";
  if (write?.access.signedWith) return "[How to sign an event](../access.md#billing), with an example.";
  if (write) return inAllLanguages(call, [{ body: write.example }]);
  if (call.examples === undefined) return "";
  const query = call.examples.find((example) => !("jmespath" in example)) ?? {};
  const projection = call.examples.find((example) => "jmespath" in example);
  return inAllLanguages(call, projection && projection !== query ? [{ query }, { query: projection }] : [{ query }]);
}

/** Reasons why the tests do not run the example of a path. */
const NOT_RUN = {
  "/api/company-monitoring/v1/get-company-material-event":
    "an impact exists only after news of a monitored company; test/company-events.test.ts reads an impact instead",
};

function inAllLanguages(call, requests) {
  const mark = NOT_RUN[call.path] ? `<!-- not run: ${NOT_RUN[call.path]} -->\n` : "";
  const written = (language, write) =>
    `${mark}${block(language, requests.map((request) => write(call, request)).join("\n"))}`;
  return `${written("sh", withCurl)}

<details>
<summary>Command line, TypeScript, Python</summary>

${written("sh", withCommand)}

${written("ts", withTypeScript)}

${written("python", withPython)}

</details>`;
}

/** Quotes a string for a shell. */
function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A shell word, quoted if necessary. */
function word(text) {
  return /^[\w.,:/=+-]+$/.test(text) ? text : quoted(text);
}

function withCurl({ path, kind }, { query = {}, body }) {
  const key = `-H "X-Service-Key: $KEY"`;
  if (kind === "form") return `curl ${key} "$URL${path}"${options("--data-urlencode", body)}`;
  if (body !== undefined)
    return `curl ${key} -H "Content-Type: application/json" "$URL${path}" \\\n  -d ${quoted(JSON.stringify(body))}`;
  return `curl${Object.keys(query).length > 0 ? " -G" : ""} ${key} "$URL${path}"${options("--data-urlencode", query)}`;
}

function options(option, members) {
  return Object.entries(members)
    .map(([name, value]) => ` \\\n  ${option} ${quoted(`${name}=${value}`)}`)
    .join("");
}

function withCommand({ name }, { query = {}, body }) {
  if (body !== undefined) return `vigil call ${name} --body ${quoted(JSON.stringify(body))}`;
  const parameters = Object.entries(query).map(([parameter, value]) =>
    parameter === "jmespath" ? ` -j ${quoted(value)}` : ` -p ${word(`${parameter}=${value}`)}`,
  );
  return `vigil call ${name}${parameters.join("")}`;
}

function withTypeScript(call, { query = {}, body }) {
  const members = Object.entries(query).map(
    ([name, value]) => `${camelCase(name)}: ${JSON.stringify(typed(call, name, value))}`,
  );
  const params = body === undefined ? members.join(", ") : undefined;
  const argument = params === undefined ? javaScript(body) : params === "" ? "" : `{ ${params} }`;
  return `await vigil.${camelCase(call.service)}.${camelCase(call.name)}(${argument});`;
}

/** A JSON value as a JavaScript literal, with quotes only around the member names that need them. */
function javaScript(value) {
  if (Array.isArray(value)) return `[${value.map(javaScript).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)}: ${javaScript(member)}`,
  );
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

function withPython(call, { query = {}, body }) {
  const members = Object.entries(query).map(
    ([name, value]) => `${parameterName(name)}=${pythonLiteral(typed(call, name, value))}`,
  );
  const argument = body === undefined ? members.join(", ") : pythonLiteral(body);
  return `client.${snakeCase(call.service)}.${snakeCase(call.name)}(${argument})`;
}

function pythonLiteral(value) {
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(", ")}]`;
  if (value === null) return "None";
  if (typeof value !== "object") return literal(value);
  return `{${Object.entries(value)
    .map(([name, member]) => `${literal(name)}: ${pythonLiteral(member)}`)
    .join(", ")}}`;
}

/** Converts a parameter's value from the string in the examples to the type that clients take. */
function typed({ query }, name, text) {
  const { schema = {} } = query.find((parameter) => parameter.name === name) ?? {};
  if (schema.type === "boolean") return text === "true" || text === "1";
  if (schema.type === "integer" || schema.type === "number") return Number.isNaN(Number(text)) ? text : Number(text);
  if (schema.type === "array") return text.split(",");
  return text;
}
