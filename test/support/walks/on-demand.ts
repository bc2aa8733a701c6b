import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { AnyOnDemand } from "../../../src/contract/on-demand.js";
import type { AnyOperation, RegisteredOperation } from "../../../src/contract/operation.js";
import type { AnyDataset } from "../../../src/contract/product.js";
import type { OnDemandCase } from "../../../src/contract/testing/service-cases.js";
import type { IdentifiedAnswer } from "../../../src/http/exchange.js";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../src/kit/clock.js";
import type { Fault } from "../../../src/simulator/faults.js";
import { json, type Stack, startStack } from "../stack.js";
import { type Answered, expectProjectedWhole } from "./answered.js";
import { promptFaults, refusedConnection, timeout } from "./faults.js";

/** The faults except for an empty document. That fault has its own test, because it can mean that there is no data. */
const faults = [...promptFaults, timeout, refusedConnection].filter(({ fault }) => fault.kind !== "empty");

/**
 * Tests an operation that requests upstreams while its caller waits, with each fault in all of its upstreams at the
 * same time.
 */
export function walkOnDemand({ path, operation }: RegisteredOperation, onDemand: OnDemandCase): void {
  const { query, upstreams, failed, none, notFound, rows, rowsQuery = query, tellsCacheHit = false } = onDemand;
  describe(`${path} with its upstreams`, () => {
    const datasets = Object.values(operation.reads as Readonly<Record<string, AnyDataset>>).map(({ name }) => name);
    let stack: Stack;
    beforeAll(async () => {
      stack = await startStack({ datasets });
    });
    afterAll(() => stack.close());
    beforeEach(async () => {
      stack.simulator.faults.clear();
      // Moves past the time for which any cached observation can be reused.
      stack.clock.advance(reusedMs(operation) + HOUR_MS);
      for (const name of datasets) await stack.run(name);
    });
    const get = async (search = query): Promise<Answered> => {
      const answer = await answerWhileHanging(stack, stack.get(`${path}?${search}`));
      return { status: answer.status, headers: answer.headers, body: json(answer) as Answered["body"] };
    };
    const strike = (fault: Fault): void => {
      for (const upstream of upstreams) stack.simulator.faults.set({ upstream }, fault);
    };

    test("answers from healthy upstreams, and answers the next caller from the same observation", async () => {
      const firstAnswer = await get();
      expect(firstAnswer.status).toBe(200);
      expect(firstAnswer.headers).toMatchObject({ "X-Vigil-State": "ok", "X-Vigil-Data": "simulated" });
      expect(firstAnswer.body).not.toMatchObject(failed);
      stack.simulator.requests.clear();
      const secondAnswer = await get();
      expect(stack.simulator.requests.list()).toEqual([]);
      if (tellsCacheHit) expect(secondAnswer.body).not.toEqual(firstAnswer.body);
      else expect(secondAnswer.body).toEqual(firstAnswer.body);
      expect(secondAnswer.headers["ETag"] !== firstAnswer.headers["ETag"]).toBe(tellsCacheHit);
      await expectProjectedWhole(stack, `${path}?${query}`);
    });

    test.each(faults)("answers with no-store during the fault $name, and recovers", async ({ name, fault }) => {
      strike(fault);
      const answer = await get();
      expect(answer.status).toBe(200);
      const isAnswer = name === "404" && notFound !== undefined;
      expect(answer.body).toMatchObject(isAnswer ? notFound : failed);
      expect(answer.headers).toMatchObject({
        "X-Vigil-State": isAnswer ? "ok" : "absent",
        "Cache-Control": "no-store",
      });
      if (!isAnswer) expect(answer.headers).not.toHaveProperty("ETag");
      stack.simulator.faults.clear();
      stack.clock.advance(5 * MINUTE_MS);
      const recovered = await get();
      expect(recovered.body).not.toMatchObject(failed);
      expect(recovered.headers["X-Vigil-State"]).toBe("ok");
    });

    test(`treats an empty document as ${none === "failed" ? "a failure" : "no data"}`, async () => {
      strike({ kind: "empty" });
      const { body, headers } = await get();
      expect(body).toMatchObject(none === "failed" ? failed : none);
      expect(headers["X-Vigil-State"]).toBe(none === "failed" ? "absent" : "ok");
    });

    test(`${rows === "one" ? "fails if its only row is bad" : "skips a bad row and serves the others"}`, async () => {
      strike({ kind: "bad-row" });
      const partial = await get(rowsQuery);
      if (rows === "one") {
        expect(partial.body).toMatchObject(failed);
        return;
      }
      stack.simulator.faults.clear();
      // Reads again with an empty cache. The clock does not advance: at another time, an upstream may list other rows.
      await stack.restart();
      const whole = rows((await get(rowsQuery)).body);
      expect(whole).toBeGreaterThan(1);
      expect(rows(partial.body)).toBe(whole - 1);
    });
  });
}

/** The longest time for which an observation of the operation is served, including in place of a failed read. */
function reusedMs({ fetches }: AnyOperation): number {
  const reads = Object.values((fetches ?? {}) as Readonly<Record<string, AnyOnDemand<never>>>);
  return Math.max(...reads.map(({ ttlMs, staleWhileErrorMs = 0 }) => ttlMs + staleWhileErrorMs));
}

/** Waits for an answer and advances the clock whenever an upstream hangs. */
async function answerWhileHanging(stack: Stack, pending: Promise<IdentifiedAnswer>): Promise<IdentifiedAnswer> {
  const progress = { isDone: false };
  const answer = pending.finally(() => {
    progress.isDone = true;
  });
  while (!progress.isDone) {
    const isHanging = stack.clock.sleeping > 0 && stack.simulator.requests.list().at(-1)?.fault === "hang";
    if (isHanging) stack.clock.advance(SECOND_MS);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return answer;
}
