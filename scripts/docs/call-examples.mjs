// The example call of an operation in each language.
import { block } from "./markdown.mjs";
import { requestBodies } from "./request-bodies.mjs";

/** The example calls of a section; empty for a call without an example. */
export function callExamples(call, answer) {
  const { method, path, title } = call;
  if (method === "post") {
    const body = requestBodies[path] ?? answer?.request;
    return body === undefined ? "" : block("sh", postWithCurl(path, body));
  }
  if (call.examples === undefined) return "";
  const query = call.examples.find((example) => !("jmespath" in example)) ?? {};
  const projection = call.examples.find((example) => "jmespath" in example);
  const projected = projection && projection !== query ? [getWithCurl(path, projection)] : [];
  return title === "" ? "" : block("sh", [getWithCurl(path, query), ...projected].join("\n"));
}

/** Quotes a text for a shell. */
function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function getWithCurl(path, query) {
  const parameters = Object.entries(query).map(
    ([name, value]) => ` \\\n  --data-urlencode ${quoted(`${name}=${value}`)}`,
  );
  return `curl${parameters.length > 0 ? " -G" : ""} -H "X-Service-Key: $KEY" "$URL${path}"${parameters.join("")}`;
}

function postWithCurl(path, body) {
  return `curl -H "X-Service-Key: $KEY" -H "Content-Type: application/json" "$URL${path}" \\\n  -d ${quoted(JSON.stringify(body))}`;
}
