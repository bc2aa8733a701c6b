import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../src/kit/clock.js";
import { json, type Stack, startStack } from "./support/stack.js";

const operations = [
  { path: "/api/economic/v1/get-us-cpi-monthly", dataset: "us-cpi", list: "months" },
  {
    path: "/api/economic/v1/get-us-treasury-par-yield-curve",
    dataset: "us-treasury-yields",
    list: "curves",
  },
];

for (const { path, dataset, list } of operations) {
  describe(path, () => {
    let stack: Stack;
    beforeAll(async () => {
      stack = await startStack();
    });
    afterAll(() => stack.close());

    const read = async () => {
      const answer = await stack.get(path);
      return { answer, body: json(answer) as Record<string, unknown> };
    };

    test("absent: the empty shape, the marker, and nothing to cache", async () => {
      const { answer, body } = await read();
      expect(answer.status).toBe(200);
      expect(body).toEqual({ [list]: [], unavailable: true });
      expect(answer.headers).toMatchObject({
        "X-Vigil-State": "absent",
        "X-Vigil-Generation": `${dataset}=0`,
        "Cache-Control": "no-store",
      });
      expect(answer.headers).not.toHaveProperty("ETag");
      expect(answer.headers).not.toHaveProperty("Last-Modified");
    });

    test("ok: the newest row, revalidated for free", async () => {
      await stack.run(dataset);
      const { answer, body } = await read();
      expect(body["unavailable"]).toBe(false);
      expect(body[list]).toHaveLength(1);
      expect(answer.headers).toMatchObject({
        "X-Vigil-State": "ok",
        "X-Vigil-Generation": `${dataset}=1`,
        "Cache-Control": "private, no-cache",
        "Last-Modified": new Date(stack.clock.now()).toUTCString(),
      });
      const again = await stack.get(path, {
        "x-service-key": stack.service.ownerKey.key ?? "",
        "if-none-match": answer.headers["ETag"] ?? "",
      });
      expect(again).toMatchObject({ status: 304, body: undefined, headers: { "X-Vigil-State": "ok" } });
    });

    test("stale: served, said to be stale, and not to be cached", async () => {
      const now = stack.clock.now();
      stack.clock.advance(72 * HOUR_MS - 1);
      expect((await read()).answer.headers["X-Vigil-State"]).toBe("ok");
      stack.clock.advance(1);
      const { answer, body } = await read();
      expect(body[list]).toHaveLength(1);
      expect(answer.headers).toMatchObject({ "X-Vigil-State": "stale", "Cache-Control": "no-store" });
      stack.clock.set(now);
      await stack.service.registry.refresh();
    });

    test("unreadable: answered like absent, and said to be unreadable", async () => {
      const generation = stack.service.registry.generation(stack.dataset(dataset));
      if (!generation) throw new Error("nothing was published");
      await writeFile(join(stack.dataDir, "bodies", generation.contentHash), "not what was stored");
      await stack.restart();
      const { answer, body } = await read();
      expect(answer.status).toBe(200);
      expect(body).toEqual({ [list]: [], unavailable: true });
      expect(answer.headers).toMatchObject({ "X-Vigil-State": "unreadable", "Cache-Control": "no-store" });
      expect(answer.headers).not.toHaveProperty("ETag");
      stack.clock.advance(DAY_MS);
      await stack.run(dataset);
      expect((await read()).answer.headers["X-Vigil-State"]).toBe("ok");
    });
  });
}

describe("partial", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack();
    await stack.run("us-cpi");
  });
  afterAll(() => stack.close());

  test("a component that cannot be read keeps its values; the answer says partial and is not cached", async () => {
    const before = json(await stack.get(`${operations[0]?.path}`)) as { months: { energy?: unknown }[] };
    stack.clock.advance(HOUR_MS);
    stack.simulator.faults.set({ upstream: "fred", match: "CPIENGSL" }, { kind: "status", code: 500 });
    const result = await stack.run("us-cpi");
    expect(result.status.parts["energy"]).toMatchObject({ state: "kept", confirmedAt: stack.clock.now() - HOUR_MS });
    const answer = await stack.get(`${operations[0]?.path}`);
    expect(answer.headers).toMatchObject({ "X-Vigil-State": "partial", "Cache-Control": "no-store" });
    expect(json(answer)).toEqual(before);
  });

  test("the age of a partial dataset is that of its oldest part", async () => {
    stack.clock.advance(71 * HOUR_MS);
    await stack.run("us-cpi");
    const answer = await stack.get(`${operations[0]?.path}`);
    expect(answer.headers["X-Vigil-State"]).toBe("stale");
  });

  test("it is ok again once every part was read", async () => {
    stack.simulator.faults.clear();
    stack.clock.advance(2 * HOUR_MS);
    await stack.run("us-cpi");
    expect((await stack.get(`${operations[0]?.path}`)).headers["X-Vigil-State"]).toBe("ok");
  });
});

test("newest observation past its age makes a dataset stale although the upstream answers", async () => {
  const stack = await startStack();
  try {
    await stack.run("us-cpi");
    const served = () => stack.service.registry.get(stack.dataset("us-cpi"));
    // October is the newest month on 18 November, and 75 days after 1 October is 15 December.
    const tooOldAt = Date.UTC(2026, 11, 15);
    // Frozen here: with 304 to every question the upstream confirms what it said without anything new.
    stack.clock.set(tooOldAt - HOUR_MS);
    stack.simulator.faults.set({ upstream: "fred" }, { kind: "status", code: 304 });
    await stack.run("us-cpi");
    expect(served()).toMatchObject({ newestAt: Date.UTC(2026, 9), state: "ok" });
    stack.clock.set(tooOldAt);
    expect(served()).toMatchObject({ newestAt: Date.UTC(2026, 9), state: "stale" });
  } finally {
    await stack.close();
  }
});
