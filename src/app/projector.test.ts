import { beforeEach, describe, expect, test } from "vitest";
import { Failure } from "../contract/failures.js";
import type { Project } from "../http/data-answer/answer-body.js";
import { LoopTurns } from "../kit/loop-turns.js";
import { projector } from "./projector.js";

const ROWS = Array.from({ length: 1_000 }, (_, id) => ({ id }));
const EXPENSIVE = "[*].[id, id][]|length(@)";
const alive = new AbortController().signal;

const clock = { now: 0 };
let project: Project;
beforeEach(() => {
  clock.now = 1_000_000;
  const limits = { fuelMax: 100_000, fuelPerMinuteMax: 30_000, perCallerMax: 4 };
  project = projector(limits, new LoopTurns(), () => clock.now);
});

/** Projects until the caller is refused. Returns the number of served projections and the refusal. */
async function projectUntilRefused(caller: string): Promise<{ served: number; refusal: Failure }> {
  for (let served = 0; served < 100; served += 1) {
    try {
      await project(EXPENSIVE, ROWS, caller, alive);
    } catch (refusal) {
      if (refusal instanceof Failure) return { served, refusal };
      throw refusal;
    }
  }
  throw new Error("never refused");
}

describe("the work of projections", () => {
  test("a caller who has used up the minute's allowance of work gets a 429, while others are served", async () => {
    const { served, refusal } = await projectUntilRefused("a");
    expect(served).toBeGreaterThan(0);
    expect(refusal.status).toBe(429);
    expect(refusal.headers).toMatchObject({
      "Retry-After": "60",
      "RateLimit-Policy": '"projection-work";q=30000;w=60',
      "RateLimit-Remaining": "0",
    });
    expect(await project(EXPENSIVE, ROWS, "b", alive)).toHaveProperty("body");
  });

  test("a caller's projections are served again a minute later", async () => {
    await projectUntilRefused("a");
    clock.now += 60_000;
    expect(await project(EXPENSIVE, ROWS, "a", alive)).toHaveProperty("body");
  });

  test("failed expressions and expressions of disconnected callers are charged too", async () => {
    const failing = "[*].[id, id][]|[@,@][]|[@,@][]|[@,@][]|[@,@][]|[@,@][]|[@,@][]|[@,@][]";
    expect(await project(failing, ROWS, "a", alive)).toHaveProperty("error");
    await expect(project(EXPENSIVE, ROWS, "a", alive)).rejects.toMatchObject({ status: 429 });

    // Only the first slice of work runs before the caller disconnects. The allowance is 1, because this slice may be
    // small.
    const slow = projector(
      { fuelMax: 100_000_000, fuelPerMinuteMax: 1, perCallerMax: 4 },
      new LoopTurns({ sliceMs: 0.5 }),
      () => clock.now,
    );
    const leaving = new AbortController();
    const left = slow(failing, ROWS, "c", leaving.signal);
    leaving.abort(new Error("gone"));
    await expect(left).rejects.toThrow("gone");
    await expect(slow("id", {}, "c", alive)).rejects.toMatchObject({ status: 429 });
  });
});
