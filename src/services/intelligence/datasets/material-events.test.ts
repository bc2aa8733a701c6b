import { afterEach, describe, expect, test } from "vitest";
import { json, type Stack, startStack } from "../../../../test/support/stack.js";
import { MINUTE_MS } from "../../../kit/clock.js";

const PATH = "/api/intelligence/v1/list-material-events";

describe("the week of 8-K filings", () => {
  let stack: Stack;
  afterEach(() => stack.close());

  const starts = (): readonly string[] =>
    stack.simulator.requests.list().map(({ url }) => new URL(url, "http://x").searchParams.get("start") ?? "");

  test("a run cut short by a 503 publishes the pages that it has read; the next run reads the whole week", async () => {
    stack = await startStack({ datasets: ["material-events"] });
    stack.simulator.faults.set({ upstream: "sec-current-filings", match: "start=300" }, { kind: "status", code: 503 });
    const cut = await stack.run("material-events");
    expect(cut).toMatchObject({ outcome: "published", status: { error: expect.stringMatching(/unavailable: .*503/) } });
    expect((await stack.get(PATH)).headers["X-Vigil-State"]).toBe("partial");
    expect(json(await stack.get(PATH))).toMatchObject({ unavailable: false });

    stack.simulator.faults.clear();
    stack.clock.advance(30 * MINUTE_MS);
    stack.simulator.requests.clear();
    await stack.run("material-events");
    expect(starts().length).toBeGreaterThan(6);
    expect((await stack.get(PATH)).headers["X-Vigil-State"]).toBe("ok");

    stack.clock.advance(30 * MINUTE_MS);
    stack.simulator.requests.clear();
    await stack.run("material-events");
    expect(starts()).toEqual(["0"]);
  });
});
