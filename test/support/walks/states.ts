import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RegisteredOperation } from "../../../src/contract/operation.js";
import type { AnyDataset } from "../../../src/contract/product.js";
import { requiredIngredientsOf } from "../../../src/contract/product.js";
import type { StoredCase } from "../../../src/contract/testing/service-cases.js";
import { DAY_MS, MINUTE_MS } from "../../../src/kit/clock.js";
import { damageBody } from "../damaged-body.js";
import { type Stack, startStack } from "../stack.js";
import type { Answered } from "./answered.js";
import { answered, expectProjectedWhole } from "./answered.js";

/**
 * The time after which a dataset is stale, in ms. A dataset that requires other datasets is stale as soon as one of
 * them is stale.
 */
function staleAfterMsOf(dataset: AnyDataset): number {
  return Math.min(dataset.staleAfterMs, ...requiredIngredientsOf(dataset).map(staleAfterMsOf));
}

/**
 * Tests an operation that reads stored datasets, in every state that its datasets can have. Its store is a copy of a
 * store in which the datasets in `filled` are built.
 */
export function walkStates(
  { path, operation }: RegisteredOperation,
  { query, absent }: StoredCase,
  filled: readonly string[],
): void {
  describe(`${path}`, () => {
    const datasets: readonly AnyDataset[] = Object.values(operation.reads as Readonly<Record<string, AnyDataset>>);
    const generations = (generation: number): string => datasets.map(({ name }) => `${name}=${generation}`).join(", ");
    const staleAfterMs = Math.min(...datasets.map(staleAfterMsOf));
    const target = `${path}?${query ?? new URLSearchParams(operation.examples[0]).toString()}`;
    const names = datasets.map(({ name }) => name);
    let stack: Stack;
    beforeAll(async () => {
      stack = await startStack({ datasets: names, filled });
      for (const name of names) if (!filled.includes(name)) await stack.run(name);
    });
    afterAll(() => stack.close());

    const read = (): Promise<Answered> => answered(stack, target);
    const build = async (): Promise<void> => {
      for (const name of names) await stack.run(name);
    };

    test("answers with its empty shape and no caching while its data is absent", async () => {
      const empty = await startStack({ datasets: names });
      try {
        const { status, headers, body } = await answered(empty, target);
        expect([status, body]).toEqual([200, absent]);
        expect(headers).toMatchObject({
          "X-Vigil-State": "absent",
          "X-Vigil-Generation": generations(0),
          "Cache-Control": "no-store",
        });
        expect(headers).not.toHaveProperty("ETag");
        expect(headers).not.toHaveProperty("Last-Modified");
        await expectProjectedWhole(empty, target);
      } finally {
        await empty.close();
      }
    });

    test("answers with data, and with a 304 to a revalidation, while its data is ok", async () => {
      const { headers, body } = await read();
      expect(body).not.toEqual(absent);
      expect(headers).toMatchObject({
        "X-Vigil-State": "ok",
        "X-Vigil-Generation": generations(1),
        "Cache-Control": operation.cache === "no-store" ? "no-store" : "private, no-cache",
        "Last-Modified": new Date(stack.clock.now()).toUTCString(),
      });
      const revalidated = await stack.get(target, {
        "x-service-key": stack.service.access.ownerKey.key ?? "",
        "if-none-match": headers["ETag"] ?? "",
      });
      expect(revalidated).toMatchObject({ status: 304, body: undefined, headers: { "X-Vigil-State": "ok" } });
      await expectProjectedWhole(stack, target);
    });

    test("answers with the same body and no caching while its data is stale", async () => {
      const now = stack.clock.now();
      const fresh = await read();
      stack.clock.advance(staleAfterMs - 1);
      expect((await read()).headers["X-Vigil-State"]).toBe("ok");
      stack.clock.advance(1);
      const { headers, body } = await read();
      expect(body).toEqual(fresh.body);
      expect(headers).toMatchObject({ "X-Vigil-State": "stale", "Cache-Control": "no-store" });
      await expectProjectedWhole(stack, target);
      stack.clock.set(now);
      await stack.service.registry.refresh();
    });

    test("answers with the same body after a failed run", async () => {
      const fresh = await read();
      stack.clock.advance(10 * MINUTE_MS);
      stack.simulator.faults.set({ upstream: "*" }, { kind: "status", code: 500 });
      await build();
      stack.simulator.faults.clear();
      // The body of an operation that shows attempts is different, because it reports the failed attempt.
      if (operation.showsAttempts !== true) expect((await read()).body).toEqual(fresh.body);
      await expectProjectedWhole(stack, target);
    });

    test.each(datasets.map(({ name }) => name))(
      "answers with its empty shape while %s is unreadable, until the next build",
      async (name) => {
        const generation = stack.service.registry.generation(stack.dataset(name));
        if (!generation) throw new Error(`${name} was not published`);
        await damageBody(stack, generation.contentHash);
        await stack.restart();
        const { status, headers, body } = await read();
        expect([status, body]).toEqual([200, absent]);
        expect(headers).toMatchObject({ "X-Vigil-State": "unreadable", "Cache-Control": "no-store" });
        expect(headers).not.toHaveProperty("ETag");
        await expectProjectedWhole(stack, target);
        stack.clock.advance(DAY_MS);
        await build();
        expect((await read()).headers["X-Vigil-State"]).toBe("ok");
      },
    );
  });
}
