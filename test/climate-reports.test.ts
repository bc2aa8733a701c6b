import { afterEach, expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../src/kit/clock.js";
import { json, type Stack, type StackOptions, startStack } from "./support/stack.js";

const NEWS = "/api/climate/v1/list-climate-news";
const datasets = ["climate-news"];

const stacks: Stack[] = [];
afterEach(async () => {
  await Promise.all(stacks.splice(0).map((stack) => stack.close()));
});

async function stackOf(options: StackOptions = {}): Promise<Stack> {
  const stack = await startStack({ datasets, ...options });
  stacks.push(stack);
  return stack;
}

async function newsOf(stack: Stack) {
  const { headers, body } = await stack.get(NEWS);
  const { items } = json({ headers, body, status: 200 }) as { items: readonly { sourceName: string }[] };
  return { state: headers["X-Vigil-State"], names: new Set(items.map(({ sourceName }) => sourceName)) };
}

const statusOf = (stack: Stack) => stack.service.registry.status(stack.dataset("climate-news"));
const reasonOf = (stack: Stack) => {
  const snapshot = stack.service.registry.get(stack.dataset("climate-news"));
  return snapshot.available ? snapshot.lacking : undefined;
};
const failReports = (stack: Stack) =>
  stack.simulator.faults.set({ upstream: "reliefweb" }, { kind: "status", code: 500 });

test("ReliefWeb's reports are among the climate news", async () => {
  const stack = await stackOf();
  await stack.run("climate-news");
  const { state, names } = await newsOf(stack);
  expect([state, names.has("Simulated Agency"), names.has("UNEP")]).toEqual(["ok", true, true]);
});

test("without a ReliefWeb app name, climate news is complete, and the ReliefWeb part names the setting", async () => {
  const stack = await stackOf({ keyless: true });
  await stack.run("climate-news");
  const { state, names } = await newsOf(stack);
  expect([state, names.has("Simulated Agency")]).toEqual(["ok", false]);
  expect(statusOf(stack)?.parts["reliefweb"]).toMatchObject({
    state: "off",
    error: expect.stringContaining("RELIEFWEB_APPNAME"),
  });
});

test("climate news is partial while the reports fail and have never been read", async () => {
  const stack = await stackOf();
  failReports(stack);
  await stack.run("climate-news");
  const { state, names } = await newsOf(stack);
  expect([state, names.has("Simulated Agency")]).toEqual(["partial", false]);
  expect(statusOf(stack)?.parts["reliefweb"]).toMatchObject({ state: "missing" });
});

test("if the reports fail, climate news is partial at once, keeps old reports for 90 minutes, and is never stale", async () => {
  const stack = await stackOf();
  await stack.run("climate-news");
  failReports(stack);
  stack.clock.advance(30 * MINUTE_MS);
  await stack.run("climate-news");
  expect(await newsOf(stack)).toMatchObject({ state: "partial" });
  expect((await newsOf(stack)).names.has("Simulated Agency")).toBe(true);
  expect(reasonOf(stack)).toBe("climate-reports: its newest build failed");
  stack.clock.advance(HOUR_MS);
  await stack.run("climate-news");
  const { state, names } = await newsOf(stack);
  expect([state, names.has("Simulated Agency")]).toEqual(["partial", false]);
  expect(reasonOf(stack)).toBe("climate-reports: stale");
  stack.simulator.faults.clear();
  stack.clock.advance(10 * MINUTE_MS);
  await stack.run("climate-news");
  const after = await newsOf(stack);
  expect([after.state, after.names.has("Simulated Agency")]).toEqual(["ok", true]);
});
