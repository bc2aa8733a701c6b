import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type HttpServer, httpServer } from "../src/http/server.js";
import { commandHostForAll, type EndedCommand } from "./support/process.js";
import { call, json, type Stack, startStack } from "./support/stack.js";

const CPI = "/api/economic/v1/get-us-cpi-monthly";
const QUAKES = "/api/seismology/v1/list-earthquakes";

const command = commandHostForAll();
let stack: Stack;
let server: HttpServer;
let url: string;
let key: string;
let folder: string;
beforeAll(async () => {
  stack = await startStack({ datasets: ["us-cpi", "earthquakes", "us-treasury-yields"] });
  await stack.run("us-cpi");
  await stack.run("earthquakes");
  server = httpServer(stack.answer);
  url = await server.listen("127.0.0.1", 0);
  key = stack.service.access.ownerKey.key ?? "";
  folder = await mkdtemp(join(tmpdir(), "vigil-call-"));
});
afterAll(async () => {
  await server.close();
  await stack.close();
  await rm(folder, { recursive: true, force: true });
});

const vigilCall = (...args: readonly string[]): Promise<EndedCommand> =>
  command(["call", ...args], { VIGIL_URL: url, VIGIL_KEY: key, VIGIL_DATA_DIR: folder });

const rest = (target: string) => stack.get(target, { "x-service-key": key });

test.each([
  [["get-us-cpi-monthly", "-p", "history=true"], `${CPI}?history=true`],
  [["get-us-cpi-monthly", "-j", "months[-1].headline"], `${CPI}?jmespath=months[-1].headline`],
  [["list-earthquakes", "-p", "page_size=2", "-p", "minMagnitude=3"], `${QUAKES}?page_size=2&min_magnitude=3`],
])("vigil call %j prints what REST answers", async (args, target) => {
  const { code, printed, output } = await vigilCall(...args);
  expect(code, output).toBe(0);
  expect(JSON.parse(printed)).toEqual(json(await rest(encodeURI(target))));
  expect(output).toMatch(/SIMULATED data; state ok; generation (?:us-cpi|earthquakes)=1; last modified 20\d\d-/);
});

test("vigil call prints a CSV answer unchanged, and with --table prints a list as a table", async () => {
  const csv = await vigilCall("list-earthquakes", "-p", "format=csv");
  expect(csv.printed === String((await rest(`${QUAKES}?format=csv`)).body)).toBe(true);
  const { printed } = await vigilCall("get-us-cpi-monthly", "--table");
  expect(printed).toMatch(/^month +headline\.index +/);
});

test("vigil call --all prints every row of every page, one line each", async () => {
  const { code, printed, output } = await vigilCall("list-earthquakes", "--all", "-p", "page_size=7");
  expect(code, output).toBe(0);
  const rows = printed.trimEnd().split("\n");
  const { pagination } = json(await rest(`${QUAKES}?page_size=1`)) as { pagination: { totalCount: number } };
  expect(rows).toHaveLength(pagination.totalCount);
  expect(new Set(rows.map((row) => (JSON.parse(row) as { id: string }).id)).size).toBe(rows.length);
});

test("vigil call sends a write with the members given by -p or by --body", async () => {
  const definition = { name: "Any", call: QUAKES, on: "WATCH_ON_NEW_ROWS" };
  const created = await vigilCall("create-watch", "--body", JSON.stringify(definition));
  expect(created.code, created.output).toBe(0);
  const { watchId } = (JSON.parse(created.printed) as { watch: { watchId: string } }).watch;
  const paused = await vigilCall("pause-watch", "-p", `watchId=${watchId}`);
  expect(JSON.parse(paused.printed)).toMatchObject({ watch: { watchId, state: "WATCH_STATE_PAUSED" } });
  const answer = await call(stack.answer, "GET", `/api/watches/v1/get-watch?watch_id=${watchId}`, {
    "x-service-key": key,
  });
  expect(json(answer)).toMatchObject({ watch: { state: "WATCH_STATE_PAUSED" } });
});

test("vigil call exits with 4 if the data is in a state that --states does not accept", async () => {
  const { code, printed, output } = await vigilCall("get-us-treasury-par-yield-curve", "--states", "ok,partial");
  expect([code, printed]).toEqual([4, ""]);
  expect(output).toContain(
    "the data of /api/economic/v1/get-us-treasury-par-yield-curve is absent, which --states does not accept",
  );
});

test.each([
  [["list-earthquake"], "there is no call list-earthquake; did you mean list-earthquakes?"],
  [["stream-dataset-changes"], "stream-dataset-changes is a stream; vigil watch dataset-changes follows it"],
  [["list-earthquakes", "-p", "page_size"], '--param must be name=value, got "page_size"'],
  [["list-earthquakes", "-p", "page_size=-1"], 'answered 400: pageSize must not be negative, got "-1"'],
  [
    ["list-earthquakes", "--states", "fine"],
    '--states must be among ok, partial, stale, absent, unreadable, got "fine"',
  ],
  [["list-earthquakes", "--body", "{}"], "list-earthquakes is a read; give its parameters with --param"],
  [["pause-watch", "--jmespath", "a"], "pause-watch is a write, which takes neither --jmespath nor --as-of"],
  [["get-us-cpi-monthly", "--all"], "get-us-cpi-monthly has no pages; omit --all"],
  [
    ["list-earthquakes", "--all", "-j", "foo"],
    "--all prints the rows of `earthquakes`, which the result of --jmespath does not have; keep the list in the expression, or omit --all",
  ],
  [["list-earthquakes", "-p", "format=csv", "--table"], "--table shows JSON; omit --table or -p format=csv"],
])("vigil call %j is refused with an explanation", async (args, sentence) => {
  const { code, printed, output } = await vigilCall(...args);
  expect([code, printed]).toEqual([1, ""]);
  expect(output).toContain(sentence);
  expect(output).not.toMatch(/^ +at /m);
});

test("vigil call without arguments lists every call, and with --describe lists the parameters of one call", async () => {
  const { printed } = await vigilCall();
  expect(printed).toMatch(/^get-us-cpi-monthly +economic +read$/m);
  expect(printed).toMatch(/^create-watch +watches +write$/m);
  const described = await vigilCall("list-earthquakes", "--describe");
  expect(described.printed).toMatch(/^min_magnitude +/m);
  expect((await vigilCall("create-watch", "--describe")).printed).toContain('"properties"');
});
