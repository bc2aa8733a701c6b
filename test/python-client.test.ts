import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { callsIn } from "../scripts/calls.mjs";
import type { AccountReadCase, Json, WriteCase } from "../src/contract/testing/service-cases.js";
import { wireName } from "../src/http/query.js";
import { httpServer } from "../src/http/server.js";
import { logJob } from "../src/services/datasets/store/log-job.js";
import { loadServices } from "../src/services/registry.js";
import type { Watch, WrittenWatch } from "../src/services/watches/served-watch.js";
import { type PythonProgram, pythonProgram, whyNoPython } from "./support/python-program.js";
import { runJob } from "./support/run-job.js";
import { call, json, type Stack, startStack } from "./support/stack.js";
import { loadCases } from "./support/walks/load-cases.js";

/* The Python client: its own tests, and every call in docs/openapi.json against a running service. */

const folder = resolve(import.meta.dirname, "../clients/python");
const calls = callsIn(JSON.parse(readFileSync(new URL("../docs/openapi.json", import.meta.url), "utf8")));
const services = await loadServices();
const cases = await loadCases();
const missing = whyNoPython("ssl");
const skipped = missing && `, skipped: ${missing}`;

/**
 * The Python that has pandas. Packages from Debian work only with Debian's Python, and another Python may come first on
 * the path, so both are tried.
 */
const withPandas = ["python3", "/usr/bin/python3"].find((name) => whyNoPython("pandas", name) === "");
const python = withPandas ?? "python3";
const noPandas = withPandas === undefined ? ", without data frames: no python3 with pandas" : "";

let stack: Stack;
let server: ReturnType<typeof httpServer>;
let url: string;
let program: PythonProgram;
beforeAll(async () => {
  const env = {
    VIGIL_PLAN_EVENTS_SECRET: "a secret of this test",
    VIGIL_SECURITY_CONTACT: "mailto:security@vigil.example",
  };
  stack = await startStack({ filled: "all", env });
  server = httpServer(stack.answer);
  url = await server.listen("127.0.0.1", 0);
  if (!missing) program = pythonProgram(resolve(folder, "tests/live.py"));
}, 180_000);
afterAll(async () => {
  program?.close();
  await server.close();
  await stack.close();
});

const ownerKey = (): string => stack.service.access.ownerKey.key ?? "";

interface Outcome extends Json {
  readonly status: number;
  readonly data: unknown;
}

/** Makes a call through the client, and returns its outcome. */
async function called(service: string, name: string, more: Json): Promise<Outcome> {
  const question = JSON.stringify({ service, call: name, ...more });
  const [code, output] = await program.run([url, ownerKey(), question]);
  expect([name, code]).toEqual([name, 0]);
  return JSON.parse(output);
}

async function posted(path: string, body: Json): Promise<Json> {
  const headers = { "x-service-key": ownerKey(), "content-type": "application/json" };
  return json(await call(stack.answer, "POST", path, headers, { body: JSON.stringify(body) })) as Json;
}

/**
 * Makes a call through the client between two plain GETs, and returns all three outcomes. The client's answer may match
 * either GET, because an on-demand answer differs when it comes from the cache.
 */
async function restAnswers(
  target: string,
  between: () => Promise<Outcome>,
): Promise<readonly [Outcome, readonly Outcome[]]> {
  const before = await stack.get(target);
  const own = await between();
  const after = await stack.get(target);
  const plain = [before, after].map(({ status, headers, body }) => ({
    status,
    state: headers["X-Vigil-State"] ?? null,
    generation: headers["X-Vigil-Generation"] ?? null,
    simulated: headers["X-Vigil-Data"] === "simulated",
    data: /\bjson\b/.test(headers["Content-Type"] ?? "") ? JSON.parse(String(body)) : String(body),
  }));
  return [own, plain];
}

const wireNames = (query: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [wireName(name), value]));

/** Returns the queries with which an account read is tested: the query of its test case, or else the examples. */
async function queriesOf(
  readCase: AccountReadCase | undefined,
  examples: readonly Readonly<Record<string, string>>[],
): Promise<readonly Readonly<Record<string, string>>[]> {
  const after = readCase?.after;
  const earlier =
    after === undefined ? {} : after.body ? await posted(after.path, after.body) : json(await stack.get(after.path));
  return readCase?.query ? [readCase.query(earlier as Json)] : examples;
}

/** Runs Python in the folder of the client, and returns the text that Python writes to standard error. */
async function ran(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const options = { cwd: folder, env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1", ...env } };
  const { stderr } = await promisify(execFile)(python, args, options);
  return stderr;
}

test.skipIf(missing !== "")(`the Python client passes its own tests${skipped}${noPandas}`, async () => {
  const stderr = await ran(["-W", "error", "-m", "unittest", "discover", "-q", "-t", "."], { PYTHONPATH: "src" });
  expect(stderr).toMatch(/\nOK(?: \(skipped=\d+\))?\n$/);
});

test.skipIf(missing !== "")(`every read in Python returns the same as a plain call${skipped}`, async () => {
  for (const { service, path, operation } of services.operations) {
    for (const example of operation.examples) {
      const query = wireNames(example);
      const read = () => called(service, operation.rpc, { query });
      const [own, plain] = await restAnswers(`${path}?${new URLSearchParams(query)}`, read);
      expect(plain.map((answer) => ({ path, ...answer }))).toContainEqual({ path, ...own, etag: undefined });
    }
  }
});

test.skipIf(missing !== "")(`every account read in Python returns the same as a plain call${skipped}`, async () => {
  for (const { service, path, read } of services.accountReads) {
    const readCase = cases[service]?.accountReads?.[read.rpc];
    for (const example of await queriesOf(readCase?.kind === undefined ? readCase : undefined, read.examples)) {
      const query = wireNames(example);
      const [own, plain] = await restAnswers(`${path}?${new URLSearchParams(query)}`, () =>
        called(service, read.rpc, { query }),
      );
      const outcomes = plain.map(({ status, data }) => ({ path, status, data }));
      expect(outcomes).toContainEqual({ path, status: own.status, data: own.data });
    }
  }
});

test.skipIf(missing !== "")(`every write in Python succeeds, and a repeat gets the same answer${skipped}`, async () => {
  for (const { service, path, write } of services.writes) {
    const writeCase = cases[service]?.writes?.[write.rpc];
    if (writeCase?.kind !== "write") continue;
    const body = await bodyOf(writeCase);
    const key = randomUUID();
    const own = await called(service, write.rpc, { body, key: write.repeats === "replayed" ? key : "" });
    expect([path, own.status, own.data]).toEqual([path, write.success ?? 200, expect.objectContaining({})]);
    expect(own.data).toMatchObject(writeCase.answer);
    if (write.repeats !== "replayed") continue;
    const headers = { "x-service-key": ownerKey(), "content-type": "application/json", "idempotency-key": key };
    const repeat = await call(stack.answer, "POST", path, headers, { body: JSON.stringify(body) });
    expect([path, repeat.headers["Idempotent-Replayed"], json(repeat)]).toEqual([path, "true", own.data]);
  }
});

async function bodyOf({ after, body }: WriteCase): Promise<Json> {
  const earlier = after ? await posted(after.path, after.body) : {};
  return body({ ownerKey: ownerKey(), earlier });
}

test.skipIf(missing !== "")(`a stream in Python delivers the changes after a position${skipped}`, async () => {
  await runJob(stack, logJob);
  const { events } = await called("datasets", "stream-dataset-changes", { lastEventId: "0" });
  expect(events).toMatchObject([["dataset.changed", "1", { position: 1, state: "ok" }]]);
});

test.skipIf(missing !== "")(`every platform path and every feed can be read in Python${skipped}`, async () => {
  const watchCase = cases["watches"]?.accountReads?.["get-watch"];
  const created = await posted("/api/watches/v1/create-watch", (watchCase as AccountReadCase).after?.body ?? {});
  const { watchId } = created["watch"] as WrittenWatch;
  const rotated = await posted("/api/watches/v1/rotate-watch-feed", { watchId });
  const { feedPath } = rotated["watch"] as Watch;
  const company = await posted("/api/company-monitoring/v1/rotate-company-event-feed", {});
  const queryOf = (path: unknown) => Object.fromEntries(new URL(String(path), url).searchParams);
  const queries: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    "dataset-history": { name: "us-cpi" },
    "get-watch-feed": queryOf(feedPath),
    "get-company-event-feed": queryOf(company["feedPath"]),
  };
  for (const { service, name, method, kind, contentTypes } of calls) {
    if (method !== "GET" || (service !== "platform" && kind !== "text")) continue;
    const own = await called(service, name, { query: queries[name] ?? {} });
    expect([name, own.status, typeof own.data]).toEqual([
      name,
      200,
      contentTypes[0]?.endsWith("json") ? "object" : "string",
    ]);
  }
});

test.skipIf(missing !== "")(`the Python client returns the rows of all pages${skipped}`, async () => {
  const path = "/api/seismology/v1/list-earthquakes";
  const { earthquakes } = json(await stack.get(path)) as { readonly earthquakes: readonly Json[] };
  const paged = await called("seismology", "list-earthquakes", { query: { page_size: "7" }, rows: true });
  expect(earthquakes.length).toBeGreaterThan(14);
  expect(paged.data).toEqual(earthquakes);
  const changes = await called("datasets", "list-dataset-changes", { query: {}, rows: true });
  expect(changes.data).toEqual([]);
});

test.skipIf(missing !== "")(`the Python client raises the error type of a refusal's status${skipped}`, async () => {
  const refused = await called("market", "get-insider-transactions", { query: { symbol: "" } });
  expect(refused).toMatchObject({ status: 400, error: "BadRequestError" });
  const absent = await called("watches", "get-watch", { query: { watch_id: "wch_01JABCDEFGHJKMNPQRSTVWXYZ0" } });
  expect(absent).toMatchObject({ status: 404, error: "NotFoundError" });
});

const pip = missing || whyNoPython("pip", python);

test.skipIf(pip !== "")(`pip installs the Python client without an index${pip && `, skipped: ${pip}`}`, async () => {
  const target = mkdtempSync(join(tmpdir(), "vigil-python-"));
  try {
    const options = ["--no-index", "--disable-pip-version-check", "--quiet", "--target", target];
    await ran(["-m", "pip", "install", ...options, "."]);
    expect(await ran(["-c", "import vigil; print(vigil.Client)"], { PYTHONPATH: target })).toBe("");
  } finally {
    rmSync(target, { recursive: true });
  }
});
