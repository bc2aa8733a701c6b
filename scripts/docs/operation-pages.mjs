// docs/operations/<group>.md: every call of a service group, from the OpenAPI document and the declarations.
import {
  accountReadFailures,
  linkedFeedFailures,
  operationFailures,
  platformFailures,
  streamFailures,
  writeFailures,
} from "../../dist/contract/expected-failures.js";
import { failureTable } from "../../dist/contract/failures.js";
import { callsIn } from "../calls.mjs";
import { callExamples } from "./call-examples.mjs";
import { requestFields, responseFields } from "./fields.mjs";
import { anchor, block, table } from "./markdown.mjs";

/** Parameters that most reads have in common, with the page that describes each. */
const SHARED_PARAMETERS = {
  jmespath: "../projections.md",
  as_of: "../history.md",
  explain: "../explain.md",
  since_generation: "../deltas.md",
  format: "../formats.md",
  signature: "../proofs.md",
  "X-Vigil-Min-Generation": "../headers.md",
};

/** Returns the pages by name. `openapi` is the OpenAPI document, and `answers` are the recorded answers of the demo. */
export function operationPages(services, openapi, platform, answers) {
  const calls = allCalls(services, platform);
  const described = callsIn(openapi);
  const examplesOf = (call) => {
    const own = described.find(({ path, method }) => path === call.path && method === call.method.toUpperCase());
    return own === undefined ? "" : callExamples({ ...own, examples: call.examples, write: call.write });
  };
  const groups = [
    ...services.groups,
    { service: "platform", name: "Platform", description: "Health, metadata and documents of the service." },
  ];
  return Object.fromEntries(
    groups.flatMap((group) => {
      const own = calls.filter(({ service }) => service === group.service);
      return own.length === 0
        ? []
        : [[`operations/${group.service}.md`, groupPage(group, own, { openapi, answers, examplesOf })]];
    }),
  );
}

/** Returns every call with its method, its declaration and its failures, in the order of the page. */
function allCalls({ operations, accountReads, writes, streams, linkedFeeds }, platform) {
  return [
    ...operations.map(({ operation, ...call }) => ({
      ...call,
      method: "get",
      title: operation.rpc,
      operation,
      examples: operation.examples,
      failures: operationFailures(operation),
    })),
    ...accountReads.map(({ read, ...call }) => ({
      ...call,
      method: "get",
      title: read.rpc,
      access: read.access,
      examples: read.examples,
      failures: accountReadFailures(read),
    })),
    ...writes.map(({ write, ...call }) => ({
      ...call,
      method: "post",
      title: write.rpc,
      access: write.access,
      write,
      failures: writeFailures(write),
    })),
    ...streams.map(({ stream, ...call }) => ({
      ...call,
      method: "get",
      title: stream.rpc,
      access: { scope: stream.log.scope },
      failures: streamFailures(),
    })),
    ...linkedFeeds.map(({ feed, ...call }) => ({
      ...call,
      method: "get",
      title: feed.rpc,
      access: "open",
      failures: linkedFeedFailures(),
    })),
    ...platform.map((path) => ({
      service: "platform",
      path: path.path,
      method: path.method ?? "get",
      title: path.path,
      access: path.isOpen ? "open" : "any",
      failures: platformFailures(path),
    })),
  ];
}

function groupPage({ name, description }, calls, document) {
  return `# ${name} operations

${description} [How to call](../quick-start.md), [errors](../errors.md) and [headers](../headers.md) are the same for
all operations.

${calls.map((call) => callSection(call, document)).join("\n\n")}
`;
}

function callSection(call, { openapi, answers, examplesOf }) {
  const declared = openapi.paths[call.path][call.method];
  const content = successOf(declared).content ?? {};
  const schema = content["application/json"]?.schema;
  const answer = schema?.anyOf?.[0] ?? schema;
  const request = declared.requestBody?.content["application/json"]?.schema;
  const parts = [
    `## ${call.title}`,
    `\`${call.method.toUpperCase()} ${call.path}\``,
    declared.summary.endsWith(".") ? declared.summary : `${declared.summary}.`,
    declared.description,
    facts(call, content),
    parameterPart(declared, openapi),
    request ? `Request body:\n\n${fieldTable(requestFields(request, openapi))}` : "",
    answer && hasFields(answer, openapi) ? `Answer:\n\n${fieldTable(responseFields(answer, openapi))}` : "",
    examplesOf(call),
    exampleAnswer(answers[call.path]),
    `Errors besides those of [every call](../errors.md): ${failureLinks(call.failures)}.`,
  ];
  return parts.filter(Boolean).join("\n\n");
}

function successOf({ responses }) {
  return responses["200"] ?? responses["201"] ?? {};
}

/** Returns facts about a call as a list: the required key, the datasets that it reads, its limits and its formats. */
function facts({ operation, access, write }, content) {
  const types = Object.keys(content);
  const rows = [
    accessFact(operation ? { tier: operation.tier } : { access }),
    ...(operation ? readFacts(operation) : []),
    ...(write?.limit ? [`At most ${write.limit.callsMax} calls in 60 s (\`${write.limit.name}\`)`] : []),
    ...(write?.repeats === "replayed"
      ? ["A repeat with the same `Idempotency-Key` gets the first answer for 24 hours"]
      : []),
    ...(types.length > 1 ? [`Formats: ${types.map((type) => `\`${type}\``).join(", ")}`] : []),
  ];
  return rows.map((row) => `- ${row}`).join("\n");
}

function accessFact({ tier, access }) {
  if (tier !== undefined) return "Needs a key on a paid plan ([Pro](../access.md))";
  if (access === undefined) return "Needs a key with the scope `read`";
  if (access === "open") return "Needs no key";
  if (access === "operator") return "Needs the operator's key";
  if (access === "any") return "Needs a key";
  return access.scope ? `Needs a key with the scope \`${access.scope}\`` : "Needs a signature";
}

function readFacts({ reads, fetches = {}, cache, dailyQuota }) {
  const datasets = [
    ...new Set(Object.values(reads).map(({ name, title, family }) => datasetLink(name, title, family))),
  ];
  return [
    ...(datasets.length > 0 ? [`Reads ${datasets.join(", ")}`] : []),
    ...(Object.keys(fetches).length > 0 ? ["Requests an upstream when no fresh answer is cached"] : []),
    "States: `ok`, `partial`, `stale`, `absent`, `unreadable` ([meaning](../concepts.md#states))",
    `Cache tier \`${cache}\``,
    ...(dailyQuota ? [`Counts towards the daily quota \`${dailyQuota.name}\``] : []),
  ];
}

function datasetLink(name, title, family) {
  const shown = family ?? { name, title };
  return `[\`${shown.name}\`](../datasets.md#${anchor(shown.title)})`;
}

function parameterPart({ parameters = [] }, openapi) {
  const all = parameters.map((parameter) => resolved(parameter, openapi));
  const own = all.filter(({ name }) => !(name in SHARED_PARAMETERS));
  const shared = all.flatMap(({ name }) =>
    name in SHARED_PARAMETERS ? [`[\`${name}\`](${SHARED_PARAMETERS[name]})`] : [],
  );
  const rows = own.map(({ name, required, in: place, description, schema }) => [
    `\`${name}\`${place === "header" ? " (header)" : ""}`,
    typeText(schema),
    `${required ? "Required. " : ""}${description}`,
  ]);
  return [
    rows.length > 0 ? table(["parameter", "type", "description"], rows) : "",
    shared.length > 0 ? `${rows.length > 0 ? "Also takes" : "Takes"} ${shared.join(", ")}.` : "",
  ]
    .filter(Boolean)
    .join("\n\n");
}

function typeText({ type, enum: values, items, minimum, maximum, maxLength, default: fallback }) {
  const range = minimum !== undefined && maximum !== undefined ? ` ${minimum}–${maximum}` : "";
  const base = values?.length <= 12 ? values.map((value) => `\`${value}\``).join(", ") : (type ?? "any");
  return [
    items ? `list of ${typeText(items)}` : `${base}${range}`,
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(fallback === undefined ? [] : [`default \`${JSON.stringify(fallback)}\``]),
  ].join("; ");
}

function resolved(node, openapi) {
  if (!node.$ref) return node;
  return node.$ref
    .split("/")
    .slice(1)
    .reduce((at, key) => at[key], openapi);
}

function hasFields(schema, openapi) {
  return Object.keys(resolved(schema, openapi).properties ?? {}).length > 0;
}

function fieldTable(fields) {
  return table(
    ["field", "type", "description"],
    fields.map(({ path, type, description, isOptional }) => [
      `\`${path}\``,
      type,
      `${isOptional ? "Optional. " : ""}${description}`,
    ]),
  );
}

function exampleAnswer(answer) {
  if (!answer) return "";
  return `An answer of the demo, with lists cut to one item and texts shortened:\n\n${block("json", JSON.stringify(answer.body, null, 2))}`;
}

/** Failures that nearly every call can have. */
const COMMON_FAILURES = new Set([...operationFailures({ reads: {}, fetches: { any: {} } })]);

/** Links to the failures that are not common to all calls. */
function failureLinks(names) {
  const own = [...new Set(names)].filter((name) => !COMMON_FAILURES.has(name));
  return (
    own
      .map(
        (name) =>
          `[${failureTable[name].status} ${name}](../errors.md#${anchor(`${failureTable[name].status} ${name}`)})`,
      )
      .join(", ") || "none"
  );
}
