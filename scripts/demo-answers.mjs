// Answers of the demo at a fixed time, for the examples in the documents.
import { createHash, createHmac } from "node:crypto";
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

/** Noon on a working day. By then, the CPI of the newest month and the yields of the newest day have been published. */
const AT = Date.UTC(2026, 10, 18, 12);
const KEY = "examples-are-asked-for-with-this-key";
const EVENTS_SECRET = "examples-of-events-are-signed-with-this";
const DATASET_STATES_PATH = "/api/datasets/v1/list-dataset-states";

/**
 * Calls of company monitoring, in order. A write is sent with the example body of its declaration; a read is sent with
 * the query in the second element of its row. If the document shows a different query, the third element is the query
 * to show. A `$name` in a query is replaced by a value of an earlier answer.
 */
const COMPANY_CALLS = [
  ["create-monitored-company"],
  ["list-monitored-companies", ""],
  ["list-company-event-impacts", ""],
  // Cursors differ from run to run, so none is recorded. The document shows the example cursor of the declaration.
  ["list-company-event-changes", "cursor=$pollCursor", ""],
  ["get-company-material-event", `impact_id=${IMPACT_ID}`],
  ["get-company-coverage", "company_id=$companyId"],
  ["get-company-monitoring-status", ""],
  ["update-monitored-company"],
  ["set-monitored-company-state"],
  ["rotate-company-event-feed"],
  ["import-monitored-company-batch"],
];

/** Calls of watches, webhooks and accounts, written like those of company monitoring, in order. */
const OWN_CALLS = [
  ["create-watch"],
  ["get-watch", "watch_id=$watchId"],
  ["list-watches", ""],
  ["list-watch-firings", ""],
  ["test-watch"],
  ["update-watch"],
  ["pause-watch"],
  ["resume-watch"],
  ["rotate-watch-feed"],
  ["delete-watch"],
  ["create-webhook-endpoint"],
  ["send-test-webhook"],
  ["list-webhook-endpoints", ""],
  ["list-webhook-deliveries", ""],
  ["replay-webhook-deliveries"],
  ["rotate-webhook-secret"],
  ["set-webhook-endpoint-state"],
  ["delete-webhook-endpoint"],
  ["create-account"],
  ["set-plan"],
  ["plan-events"],
  ["create-key"],
  ["sign-in"],
  ["list-sessions", ""],
  ["end-session"],
  ["list-keys", ""],
  ["get-account", ""],
  ["get-usage", ""],
  ["list-accounts", ""],
  ["list-audit-events", ""],
  ["revoke-key"],
  ["oauth-token"],
  ["sign-out"],
];

/** Returns a source of bytes that are the same in every run, so that ids in examples do not change. */
function countedBytes() {
  let calls = 0;
  return (count) => {
    calls += 1;
    return createHash("sha256").update(String(calls)).digest().subarray(0, count);
  };
}

/**
 * Returns the demo's answers by path, shortened: for an operation, the answer to its first example without a
 * projection; for an account read or a write, the answer to the call that this file lists.
 */
export async function demoAnswers(services) {
  const clock = manualClock(AT);
  const dataDir = await mkdtemp(join(tmpdir(), "vigil-examples-"));
  const simulator = await startSimulator({ clock, seed: 1, newsFeeds: feedCatalogue.map(publishedFeed) });
  const plain = loadConfig({ VIGIL_ENTERPRISE_KEYS: KEY }, []);
  const texts = { ...plain.texts, ...simulator.credentials, VIGIL_PLAN_EVENTS_SECRET: EVENTS_SECRET };
  const config = { ...plain, texts };
  const log = pino({ level: "silent" });
  const feed = { upstreamBase: simulator.baseUrl, gated: true };
  const randomBytes = countedBytes();
  const service = await openService({ config, services, log, kind: "demo", dataDir, clock, randomBytes, ...feed });
  try {
    const answer = servicePipeline({ config, service, services, clock, log, simulated: true }, () => true);
    await logDatasets(service);
    // This cursor is from before the builds, so that a poll with it returns their generations.
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
    await addCallAnswers(answer, services, [["execute"]], { answers, realIds: {} });
    await addDatasetAnswers(answer, services, { answers, pollCursor });
    await addCompanyAnswers(answer, services, { answers, service });
    await addProofAnswers(answer, services, answers);
    // The key that `create-key` makes must be newer than the owner's, because the example lists only the newest key.
    clock.advance(1_000);
    const { key } = service.access.ownerKey;
    await addCallAnswers(answer, services, OWN_CALLS, { answers, realIds: { key, client_secret: key } });
    return answers;
  } finally {
    await service.close();
    await simulator.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Runs the job that logs changes of datasets, once. */
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
    // Cursors differ from run to run, so none is recorded. The document shows the example cursor of the declaration.
    answers[path] = { query: "", ...(await exampleAnswer(answer, "GET", target, { schema: read.response })) };
  }
}

/** Queries of the proofs, and fixed values for members that depend on the order of the builds or on the time. */
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

async function addCompanyAnswers(answer, services, { answers, service }) {
  const realIds = {};
  const afterFirst = async () => {
    // This cursor is from before the event, so that a poll with it returns the impact of the event.
    realIds.pollCursor = await pollCursorNow(answer);
    await addExampleEvent(service, realIds.companyId, AT);
  };
  await addCallAnswers(answer, services, COMPANY_CALLS, { answers, realIds, afterFirst });
}

/**
 * Adds the answers of these calls, with the ids of the examples instead of real ones. The real ids are added to
 * `realIds`; `afterFirst` runs after the first call.
 */
async function addCallAnswers(answer, services, calls, { answers, realIds, afterFirst = async () => undefined }) {
  const recorded = [];
  for (const [index, [rpc, query = "", shownQuery]] of calls.entries()) {
    const { path, read, write } = [...services.accountReads, ...services.writes].find(
      (each) => (each.read ?? each.write).rpc === rpc,
    );
    const filled = query.replace(/\$(\w+)/g, (_, name) => realIds[name]);
    const text = write
      ? await textOf(answer, "POST", path, bodyOf(write, realIds))
      : await textOf(answer, "GET", filled === "" ? path : `${path}?${filled}`);
    recorded.push({
      path,
      query: shownQuery ?? filled,
      text,
      schema: (read ?? write).response,
      example: write?.example,
    });
    noteIds(realIds, JSON.parse(text));
    if (index === 0) await afterFirst();
  }
  const shownIds = Object.entries(realIds).flatMap(([name, real]) => {
    const { example } = recorded.find((each) => each.example?.[name] !== undefined) ?? {};
    return example === undefined ? [] : [[real, example[name]]];
  });
  const shown = (text) => shownIds.reduce((all, [real, example]) => all.replaceAll(real, example), text);
  for (const { path, query, text, schema } of recorded) {
    const body = shortened(JSON.parse(shown(text)), schema);
    answers[path] = { query: shown(query), bytes: Buffer.byteLength(text), body };
  }
}

/** Returns the body in a write's example, with ids from earlier answers in place of the placeholders. */
function bodyOf({ example, isForm }, realIds) {
  const members = Object.entries(example).map(([name, value]) => [name, realIds[name] ?? value]);
  return isForm ? String(new URLSearchParams(members)) : JSON.stringify(Object.fromEntries(members));
}

function noteIds(realIds, { company, watch, endpoint, card, key, sessions: [session] = [] }) {
  if (company) realIds.companyId = company.companyId;
  if (watch) realIds.watchId = watch.watchId;
  if (endpoint) realIds.endpointId = endpoint.endpointId;
  if (card) realIds.keyId = card.id;
  if (key) realIds.key = key;
  if (session) realIds.sessionId = session.id;
}

async function pollCursorNow(answer) {
  const { snapshot } = JSON.parse(await textOf(answer, "GET", "/api/company-monitoring/v1/list-monitored-companies"));
  return snapshot.pollCursor;
}

async function exampleAnswer(answer, method, target, { schema }) {
  const text = await textOf(answer, method, target);
  return { bytes: Buffer.byteLength(text), body: shortened(JSON.parse(text), schema) };
}

async function textOf(answer, method, target, body = "") {
  const isForm = body !== "" && !body.startsWith("{");
  const headers = {
    "x-service-key": KEY,
    "content-type": isForm ? "application/x-www-form-urlencoded" : "application/json",
    "x-vigil-signature": signatureOf(body),
  };
  const { status, body: bytes } = await answer({
    method,
    target,
    remoteAddress: "127.0.0.1",
    header: (name) => headers[name],
    hasHeader: (name) => name in headers,
    body: async () => Buffer.from(body),
  });
  const text = String(bytes);
  if (status !== 200 && status !== 201)
    throw new Error(`${method} ${target} answered ${status}: ${text.slice(0, 300)}`);
  return text;
}

/** The signature that a billing system sends with an event. */
function signatureOf(body) {
  const at = AT / 1_000;
  return `t=${at},v1=${createHmac("sha256", EVENTS_SECRET).update(`${at}.${body}`).digest("hex")}`;
}

/** Maximum length of a string in an example, in characters. */
const TEXT_MAX = 8;

/** Shortens a JSON value: lists to their first item, dictionaries to one entry, long strings to their beginning. */
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
