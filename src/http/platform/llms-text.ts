import type { RegisteredOperation } from "../../contract/operation.js";
import type { QueryField } from "../../contract/query-field.js";
import type { RegisteredGroup } from "../../contract/service-group.js";
import { wireName } from "../query.js";
import type { DemoAnswers } from "./demo-answers.js";

/** A page about the service for agents: how to call it, how to read the state of an answer, and every operation. */
export function llmsText(
  groups: readonly RegisteredGroup[],
  operations: readonly RegisteredOperation[],
  answers: DemoAnswers,
): string {
  return `# Vigil

> Public monitoring data as versioned snapshots with provenance, over one read-mostly REST API.

Send the key as \`X-Service-Key\`. Every GET of an operation except streams and feeds takes \`jmespath\` (at most 1,024 bytes, result at most 256 KB): ask for what you
need. Read \`X-Vigil-State\` first: ok, partial, stale, absent or unreadable. An empty list that is not \`ok\` is an outage.
\`X-Vigil-Data: simulated\` marks made-up data. Instants are epoch ms UTC. After a 429 or 503 wait \`Retry-After\` seconds.

Operations on stored data also take \`as_of\` (the answer as it was at an instant). Lists take \`since_generation\` (only what changed
since an \`X-Vigil-Generation\`) and \`explain=true\` (which rows were left out, and why). \`signature=1\` signs an answer.
Lists also come as rows: \`format=csv\`, \`ndjson\` or, with coordinates, \`geojson\`.

Up to 20 reads in one call: POST \`/api/batch/v1/execute\` with \`{"operations": [{"id": "a", "path": "/api/…"}]}\`.

The same through the Model Context Protocol, with nine tools: \`/mcp\` over HTTP, \`vigil mcp\` over standard input and output.
${groups.map(({ forAgents }) => (forAgents === undefined ? "" : `\n${forAgents}\n`)).join("")}
## Operations

Each with the size of its default answer on a demo, its parameters (\`*\` required), main fields, and a working \`jmespath\`.

${operations.map((operation) => operationText(operation, answers)).join("\n")}

## More

- [OpenAPI](/openapi.json)
- [Health of every dataset](/api/health)
- [Dataset cards with sources and licences](/api/datasets)
- [Service groups](/api/catalog)
`;
}

function operationText({ path, operation }: RegisteredOperation, answers: DemoAnswers): string {
  // The cast is safe, because every member of `query` is declared as a `QueryField`.
  const fields = Object.entries(operation.query as Readonly<Record<string, QueryField<unknown>>>);
  const parameters = fields.map(([name, { required }]) => `${wireName(name)}${required ? "*" : ""}`);
  const bytes = answers[path]?.bytes;
  const projection = operation.examples.find((example) => "jmespath" in example)?.["jmespath"];
  return [
    `- [${operation.rpc}](${path})${operation.tier === undefined ? "" : " Pro"}${bytes === undefined ? "" : ` ${bytes} B`}: ${operation.summary}`,
    ...(parameters.length > 0 ? [`  ${parameters.join(" ")}`] : []),
    `  → ${mainFields(operation.response)}`,
    ...(projection === undefined ? [] : [`  \`${projection}\``]),
  ].join("\n");
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
}

/** Maximum number of members listed per record. More would cost an agent more tokens than they are worth. */
const MEMBERS_MAX = 8;

/**
 * The members of an answer, and the first members of the records in it, such as `alerts[]{id iata name} pagination`.
 */
function mainFields(schema: Schema): string {
  return Object.entries(schema.properties ?? {})
    .map(([name, member]) => {
      const record = member.items ?? member;
      const members = Object.keys(record.properties ?? {});
      const list = member.items ? "[]" : "";
      if (members.length === 0) return `${name}${list}`;
      return `${name}${list}{${members.slice(0, MEMBERS_MAX).join(" ")}${members.length > MEMBERS_MAX ? " …" : ""}}`;
    })
    .join(" ");
}
