import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type HttpServer, httpServer } from "../src/http/server.js";
import { HOUR_MS, SECOND_MS } from "../src/kit/clock.js";
import { logJob } from "../src/services/datasets/store/log-job.js";
import { commandHostForAll, type EndedCommand } from "./support/process.js";
import { runJob } from "./support/run-job.js";
import { call, json, NOON, type Stack, startStack } from "./support/stack.js";

const definition = {
  name: "Earthquakes are not current",
  call: "/api/seismology/v1/list-earthquakes",
  on: "WATCH_ON_STATE_CHANGES",
};
const FROM = new Date(NOON + SECOND_MS).toISOString();

const command = commandHostForAll();
let stack: Stack;
let server: HttpServer;
let url: string;
let folder: string;
let file: string;
beforeAll(async () => {
  stack = await startStack({ datasets: ["earthquakes"] });
  await stack.run("earthquakes");
  await log();
  stack.clock.advance(HOUR_MS);
  await log();
  await stack.run("earthquakes");
  await log();
  stack.clock.advance(SECOND_MS);
  server = httpServer(stack.answer);
  url = await server.listen("127.0.0.1", 0);
  folder = await mkdtemp(join(tmpdir(), "vigil-watch-test-"));
  file = join(folder, "stale.json");
  await writeFile(file, JSON.stringify(definition));
});
afterAll(async () => {
  await server.close();
  await stack.close();
  await rm(folder, { recursive: true, force: true });
});

/** Starts one run of the job that logs changes of datasets, and waits for its end. */
const log = (): Promise<void> => runJob(stack, logJob);

async function watchTest(...args: readonly string[]): Promise<EndedCommand> {
  const key = stack.service.access.ownerKey.key ?? "";
  return command(["watch", "test", ...args], { VIGIL_URL: url, VIGIL_KEY: key, VIGIL_DATA_DIR: folder });
}

test("vigil watch test lists when a definition would have fired", async () => {
  const { code, printed, output } = await watchTest(file, "--from", FROM);
  expect(code, output).toBe(0);
  const [title, , fired, resolved, totals] = printed.split("\n");
  expect(title).toMatch(/^time +kind +text$/);
  expect(fired).toMatch(/^2026-11-18T13:00:00\.000Z {2}fired +Earthquakes are not current: ok → stale \(data stale\)$/);
  expect(resolved).toMatch(/ {2}resolved +Earthquakes are not current: resolved, stale → ok$/);
  expect(totals).toBe(`2 firings in 3 evaluations, from ${FROM} to ${new Date(stack.clock.now()).toISOString()}`);
}, 20_000);

test("vigil watch test accepts a watch of the account, and prints the answer of test-watch as JSON", async () => {
  const headers = { "x-service-key": stack.service.access.ownerKey.key ?? "", "content-type": "application/json" };
  const created = await call(stack.answer, "POST", "/api/watches/v1/create-watch", headers, {
    body: JSON.stringify(definition),
  });
  const { watchId } = (json(created) as { readonly watch: { readonly watchId: string } }).watch;
  const { code, printed, output } = await watchTest("--watch", watchId, "--from", FROM, "--json");
  expect(code, output).toBe(0);
  expect(JSON.parse(printed)).toMatchObject({ firingCount: 2, firings: [{ before: "ok" }, { after: "ok" }] });
}, 20_000);

test("vigil watch test prints the sentences of a refusal and ends with code 1", async () => {
  const { code, output } = await watchTest(file, "--from", "yesterday");
  expect([code, output]).toEqual([
    1,
    expect.stringMatching(/^vigil: \/api\/watches\/v1\/test-watch answered 400: from must/),
  ]);
}, 20_000);
