// Answers of the demo at a fixed time, for the examples in the documents.
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { loadConfig } from "../dist/app/config.js";
import { openService } from "../dist/app/service.js";
import { servicePipeline } from "../dist/app/service-pipeline.js";
import { keepJob } from "../dist/app/store-jobs.js";
import { manualClock } from "../dist/kit/manual-clock.js";
import { logJob } from "../dist/services/datasets/store/log-job.js";
import { feedCatalogue } from "../dist/services/news/catalogue/feed-catalogue.js";
import { publishedFeed } from "../dist/services/news/catalogue/published-feeds.js";
import { startSimulator } from "../dist/simulator/simulator.js";
import { addExampleEvent, IMPACT_ID } from "./example-event.mjs";

/** Noon on a working day on which the newest CPI month and yield day have both been published. */
const AT = Date.UTC(2026, 10, 18, 12);
const KEY = "examples-are-asked-for-with-this-key";
/** Two reads, one of them with a projection. */
const BATCH = {
  operations: [
    { id: "co2", path: "/api/climate/v1/get-co2-monitoring?jmespath=monitoring.currentPpm" },
    { id: "year", path: "/api/displacement/v1/get-displacement-summary?jmespath=summary.year" },
  ],
};
const DATASET_STATES_PATH = "/api/datasets/v1/list-dataset-states";
const BATCH_PATH = "/api/batch/v1/execute";

/** Calls of company monitoring in order. Each can use the answers before it. */
const COMPANY_CALLS = [
  [
    "create-monitored-company",
    () => ({
      body: {
        clientRequestId: "example",
        company: {
          name: "Example Industries",
          domicileCountry: "DOMICILE_COUNTRY_US",
          domains: ["example.com"],
          customerReference: "crm-17",
        },
      },
    }),
  ],
  ["list-monitored-companies", () => ({ query: "" })],
  ["list-company-event-impacts", () => ({ query: "" })],
  // Cursors differ from run to run; the document shows the example of the declaration.
  ["list-company-event-changes", ({ pollCursor }) => ({ query: `cursor=${pollCursor}`, shownQuery: "" })],
  ["get-company-material-event", () => ({ query: `impact_id=${IMPACT_ID}` })],
  ["get-company-coverage", ({ companyId }) => ({ query: `company_id=${companyId}` })],
  ["get-company-monitoring-status", () => ({ query: "" })],
  [
    "update-monitored-company",
    ({ companyId }) => ({
      body: { companyId, patch: { addClaims: [{ type: "COMPANY_CLAIM_TYPE_ALIAS", value: "Exemplar" }] } },
    }),
  ],
  [
    "set-monitored-company-state",
    ({ companyId }) => ({ body: { companyId, targetLifecycle: "MONITORED_COMPANY_LIFECYCLE_PAUSED" } }),
  ],
  ["rotate-company-event-feed", () => ({ body: {} })],
  [
    "import-monitored-company-batch",
    () => ({
      body: {
        contractVersion: "cm-import-v1",
        clientImportId: "example",
        rows: [{ ordinal: 0, company: { name: "Specimen", domicileCountry: "DOMICILE_COUNTRY_GB" } }],
      },
    }),
  ],
];

/** The same bytes in every run, so that ids in examples do not change. */
function countedBytes() {
  let calls = 0;
  return (count) => {
    calls += 1;
    return createHash("sha256").update(String(calls)).digest().subarray(0, count);
  };
}

/** The demo's answer to the first example without a projection of every operation, by path, shortened. */
export async function demoAnswers(services) {
  const clock = manualClock(AT);
  const dataDir = await mkdtemp(join(tmpdir(), "vigil-examples-"));
  const simulator = await startSimulator({ clock, seed: 1, newsFeeds: feedCatalogue.map(publishedFeed) });
  const plain = loadConfig({ VIGIL_ENTERPRISE_KEYS: KEY }, []);
  const config = { ...plain, texts: { ...plain.texts, ...simulator.credentials } };
  const log = pino({ level: "silent" });
  const feed = { upstreamBase: simulator.baseUrl, gated: true };
  const randomBytes = countedBytes();
  const service = await openService({ config, services, log, kind: "demo", dataDir, clock, randomBytes, ...feed });
  try {
    const answer = servicePipeline({ config, service, services, clock, log, simulated: true }, () => true);
    await logDatasets(service);
    // A poll from before the builds returns their generations.
    const { pollCursor } = JSON.parse(await textOf(answer, "GET", DATASET_STATES_PATH));
    await service.ingest.runAll(services.datasets);
    await logDatasets(service);
    const answers = {};
    for (const { path, operation } of services.operations) {
      const query = new URLSearchParams(
        operation.examples.find((example) => !("jmespath" in example)) ?? {},
      ).toString();
      const target = query === "" ? path : `${path}?${query}`;
      answers[path] = { query, ...(await exampleAnswer(answer, "GET", target, { schema: operation.response })) };
    }
    answers[BATCH_PATH] = {
      query: "",
      ...(await exampleAnswer(answer, "POST", BATCH_PATH, { body: JSON.stringify(BATCH) })),
    };
    await addDatasetAnswers(answer, services, { answers, pollCursor });
    const addEvent = (companyId) => addExampleEvent(service, companyId, AT);
    await addCompanyAnswers(answer, services, { answers, addEvent });
    await addProofAnswers(answer, services, answers);
    return answers;
  } finally {
    await service.close();
    await simulator.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Runs the job that logs changes of datasets once. */
async function logDatasets({ storeParts: store, registry, onDemand, turns }) {
  const onFault = (_job, error) => {
    throw error;
  };
  const noteChanges = () => undefined;
  await keepJob(logJob, {
    store,
    registry,
    onDemand,
    logs: [],
    turns,
    noteChanges,
    signal: AbortSignal.abort(),
    onFault,
  });
}

async function addDatasetAnswers(answer, { accountReads }, { answers, pollCursor }) {
  for (const { path, read } of accountReads.filter(({ service }) => service === "datasets")) {
    const target = path === DATASET_STATES_PATH ? path : `${path}?cursor=${pollCursor}`;
    // Cursors differ from run to run; the document shows the example of the declaration.
    answers[path] = { query: "", ...(await exampleAnswer(answer, "GET", target, { schema: read.response })) };
  }
}

/** Queries of the proofs, and values of members that depend on the order of the builds or on the time. */
const PROOF_QUERIES = {
  "get-signed-head": "",
  "get-inclusion-proof": "dataset=us-cpi&generation=1",
  "get-consistency-proof": "first=1",
};
const PROOF_MEMBERS = { size: 412, leafIndex: 17, first: 60, second: 412, leaf: '{"builtAt":…}' };

async function addProofAnswers(answer, { accountReads }, answers) {
  for (const { path, read } of accountReads.filter(({ service }) => service === "proofs")) {
    const query = PROOF_QUERIES[read.rpc];
    const text = await textOf(answer, "GET", query === "" ? path : `${path}?${query}`);
    const body = Object.fromEntries(
      Object.entries(JSON.parse(text)).map(([name, value]) => [name, PROOF_MEMBERS[name] ?? steady(name, value)]),
    );
    answers[path] = { query: "", bytes: Buffer.byteLength(JSON.stringify(body)), body: shortened(body, read.response) };
  }
}

function steady(name, value) {
  if (Array.isArray(value)) return [steady(name, "")];
  if (typeof value !== "string") return AT;
  return createHash("sha256")
    .update(name)
    .digest(name === "keyId" || name === "signature" ? "base64url" : "hex");
}

async function addCompanyAnswers(answer, { accountReads, writes }, { answers, addEvent }) {
  const declared = new Map([...accountReads, ...writes].map(({ path, read, write }) => [path, read ?? write]));
  const earlier = {};
  for (const [rpc, call] of COMPANY_CALLS) {
    const path = `/api/company-monitoring/v1/${rpc}`;
    const { query = "", shownQuery = query, body } = call(earlier);
    const schema = declared.get(path).response;
    const example = await (body === undefined
      ? exampleAnswer(answer, "GET", query === "" ? path : `${path}?${query}`, { schema })
      : exampleAnswer(answer, "POST", path, { schema, body: JSON.stringify(body) }));
    if (earlier.companyId === undefined) {
      earlier.companyId = example.body.company.companyId;
      // A poll from before the event returns its impact.
      earlier.pollCursor = await pollCursorNow(answer);
      await addEvent(earlier.companyId);
    }
    answers[path] = { query: shownQuery, ...example };
  }
}

async function pollCursorNow(answer) {
  const { snapshot } = JSON.parse(await textOf(answer, "GET", "/api/company-monitoring/v1/list-monitored-companies"));
  return snapshot.pollCursor;
}

async function exampleAnswer(answer, method, target, { schema, body = "" }) {
  const text = await textOf(answer, method, target, body);
  return { bytes: Buffer.byteLength(text), body: shortened(JSON.parse(text), schema) };
}

async function textOf(answer, method, target, body = "") {
  const headers = { "x-service-key": KEY, "content-type": "application/json" };
  const { status, body: bytes } = await answer({
    method,
    target,
    remoteAddress: "127.0.0.1",
    header: (name) => headers[name],
    hasHeader: (name) => name in headers,
    body: async () => Buffer.from(body),
  });
  const text = String(bytes);
  if (status !== 200) throw new Error(`${method} ${target} answered ${status}: ${text.slice(0, 300)}`);
  return text;
}

/** Longest text of an example, characters. */
const TEXT_MAX = 8;

/** Lists are cut to their first item, dictionaries to one entry, long texts to their beginning. */
function shortened(value, schema = {}) {
  if (typeof value === "string") {
    // An enum value, an id and an instant must stay whole.
    return schema.enum || schema.pattern || schema.format || value.length <= TEXT_MAX
      ? value
      : `${value.slice(0, TEXT_MAX - 1)}…`;
  }
  if (Array.isArray(value)) {
    return value.slice(0, 1).map((item) => shortened(item, schema.items));
  }
  if (typeof value !== "object" || value === null) return value;
  const [other] = Object.values(schema.patternProperties ?? {});
  const members = Object.entries(value).slice(0, other ? 1 : undefined);
  return Object.fromEntries(
    members.map(([name, member]) => [name, shortened(member, schema.properties?.[name] ?? other)]),
  );
}
