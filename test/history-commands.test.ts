import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HOUR_MS } from "../src/kit/clock.js";
import { commandHostForAll } from "./support/process.js";
import { call, type Stack, startStack } from "./support/stack.js";

/* `vigil history` and `vigil diff` against a service and its store. */

const command = commandHostForAll();
let stack: Stack;
let server: Server;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  stack = await startStack({ datasets: ["earthquakes"] });
  await stack.run("earthquakes");
  stack.clock.advance(HOUR_MS);
  stack.simulator.faults.set({ upstream: "*" }, { kind: "down" });
  await stack.run("earthquakes");
  stack.clock.advance(5 * HOUR_MS);
  stack.simulator.faults.clear();
  await stack.run("earthquakes");
  server = createServer(async ({ method = "", url = "", headers }, answer) => {
    const sent = await call(stack.answer, method, url, headers as Record<string, string>);
    answer.writeHead(sent.status, sent.headers).end(sent.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const key = stack.service.access.ownerKey.key ?? "";
  env = { VIGIL_URL: `http://127.0.0.1:${port}`, VIGIL_KEY: key, VIGIL_DATA_DIR: stack.dataDir };
});
afterAll(async () => {
  server.close();
  await stack.close();
});

/** The range is explicit because its default depends on the clock, and only the service uses the clock of the test. */
const range = ["--from", "2026-11-18T00:00:00Z", "--to", "2026-11-18T18:00:00Z"];

describe("vigil history", () => {
  test("prints generations with their changes, failed runs with their reasons, and the availability of each day", async () => {
    const { code, printed } = await command(["history", "earthquakes", ...range], env);
    expect(code).toBe(0);
    expect(printed.split("\n")).toEqual([
      expect.stringMatching(/^time \(UTC\) +generation +records +changes +failure$/),
      expect.anything(),
      expect.stringMatching(/^2026-11-18 18:00:00 {2}2 +\d+ +usgs \+\d+ -\d+/),
      expect.stringMatching(/^2026-11-18 13:00:00 {2}- .*usgs/),
      expect.stringMatching(/^2026-11-18 12:00:00 {2}1 +\d+ +unknown$/),
      "",
      "day         available  unknown  runs  failures",
      expect.anything(),
      expect.stringMatching(/^2026-11-18 {2}\d\.\d %/),
      "",
    ]);
  });

  test("prints the same history as JSON", async () => {
    const { printed } = await command(["history", "earthquakes", ...range, "--json"], env);
    expect(JSON.parse(printed)).toMatchObject({
      name: "earthquakes",
      entries: [{ generation: 2 }, { kind: "failed-run" }, { generation: 1 }],
      isCut: false,
    });
  });

  test("refuses an unknown dataset and suggests the nearest name, and prints the service's refusals", async () => {
    const unknown = await command(["history", "earthquake"], env);
    expect([unknown.code, unknown.output]).toEqual([
      1,
      "vigil: there is no dataset earthquake; did you mean earthquakes?\n",
    ]);
    const malformed = await command(["history", "earthquakes", "--from", "monday"], env);
    expect(malformed.output).toContain("must be an instant such as 2026-11-01T12:00:00Z");
  });
});

describe("vigil diff", () => {
  const diff = (...args: readonly string[]) => command(["diff", "earthquakes", ...args, "--demo"], env);

  test("with --rows 2, prints two of the rows that differ, and the number of rows not listed", async () => {
    const { code, printed } = await diff("1", "2", "--rows", "2");
    expect(code).toBe(0);
    const lines = printed.trim().split("\n");
    expect(lines[0]).toMatch(/^earthquakes, generation 1 to 2: usgs \+\d+ -\d+/);
    expect(lines).toHaveLength(7);
    expect(lines[6]).toMatch(/^rows not listed: \d+/);
  });

  test("counts the same changes as the history, and the opposite comparison swaps added and removed rows", async () => {
    const answer = await stack.get("/api/datasets/history?name=earthquakes");
    const { entries } = JSON.parse(String(answer.body)) as { entries: readonly { changes: object }[] };
    const there = JSON.parse((await diff("1", "2", "--json")).printed);
    expect(there.counts).toEqual(entries[0]?.changes);
    const back = JSON.parse((await diff("2", "1", "--json")).printed);
    expect([back.counts.usgs.added, back.counts.usgs.removed]).toEqual([
      there.counts.usgs.removed,
      there.counts.usgs.added,
    ]);
    expect(there.rows[0]).toMatchObject({ part: "usgs", kind: "added", after: { id: there.rows[0].key } });
  });

  test("refuses a generation that is not kept", async () => {
    const { code, output } = await diff("1", "9");
    expect(code).toBe(1);
    expect(output).toContain(
      "vigil: generation 9 of earthquakes is not kept (the newest is 2); vigil history earthquakes lists the generations",
    );
  });
});
