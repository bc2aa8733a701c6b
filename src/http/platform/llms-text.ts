import type { RegisteredOperation } from "../../contract/operation.js";
import type { QueryField } from "../../contract/query-field.js";
import { wireName } from "../query.js";

/** What an agent needs to call the service: how to ask, how to read an answer's standing, and every operation. */
export function llmsText(operations: readonly RegisteredOperation[]): string {
  return `# Vigil

> Public monitoring data as versioned snapshots with provenance, over one read-mostly REST API.

Send the key as \`X-Service-Key\`. Every GET takes \`jmespath\` (at most 1,024 bytes) to return only what is needed; the
result may be 256 KB. Read the header \`X-Vigil-State\` before trusting an answer: ok, partial, stale, absent or unreadable.
An empty list with a marker such as \`"unavailable": true\` is an outage, never an absence of events. \`X-Vigil-Data:
simulated\` marks made-up data. \`X-Vigil-Notice\` names unknown parameters and countries. Instants are epoch milliseconds UTC.

Several reads at once: POST \`/api/batch/v1/execute\` with \`{"operations": [{"id": "a", "path": "/api/…"}]}\`, up to 20, each
path with its own \`jmespath\`; the answer has one result each, in order. \`RateLimit\` on every answer tells what is left; after
a 429 wait \`Retry-After\` seconds.

## Operations

${operations.map(operationLine).join("\n")}

## More

- [OpenAPI document](/openapi.json)
- [State of every dataset](/api/health)
- [Dataset cards with sources, licences and provenance](/api/datasets)
- [Service groups, served and planned](/api/catalog)
`;
}

function operationLine({ path, operation }: RegisteredOperation): string {
  // Every member of a query is a QueryField by its declaration.
  const fields = Object.entries(operation.query as Readonly<Record<string, QueryField<unknown>>>);
  const parameters = fields.map(([name, { description }]) => ` \`${wireName(name)}\`: ${description}.`).join("");
  return `- [${path}](${path}): ${operation.description}${parameters}`;
}
