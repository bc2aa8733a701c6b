import { expect, test } from "vitest";
import { Failure } from "../contract/failures.js";
import { Admission, type AdmissionLimits } from "./admission.js";

const limits: AdmissionLimits = { callsMax: 4, perCallerMax: 2, loopDelayMsMax: 200 };

function admission(changed: Partial<AdmissionLimits> = {}) {
  let delayMs = 0;
  const admitted = new Admission({ ...limits, ...changed }, () => delayMs);
  const ends: (() => void)[] = [];
  /** Begins a call that runs until `endOne` ends it. Returns 0, or the status of the refusal. */
  const begin = (caller: string, isCheap = false): number => {
    const held = (): Promise<number> => new Promise((resolve) => ends.push(() => resolve(200)));
    return statusOf(() => admitted.run({ isCheap, caller: () => caller }, held));
  };
  const endOne = async (): Promise<void> => {
    ends.shift()?.();
    await new Promise(setImmediate);
  };
  const setDelay = (ms: number): void => {
    delayMs = ms;
  };
  return { admitted, begin, endOne, setDelay };
}

function statusOf(attempt: () => unknown): number {
  try {
    attempt();
    return 0;
  } catch (error) {
    return error instanceof Failure ? error.status : Number.NaN;
  }
}

test("at the limit of concurrent calls, further calls are shed until a running call ends", async () => {
  const { admitted, begin, endOne } = admission();
  expect(["a", "b", "c", "d", "e"].map((caller) => begin(caller))).toEqual([0, 0, 0, 0, 503]);
  expect([admitted.shedCount("calls"), admitted.runningCount]).toEqual([1, 4]);
  await endOne();
  expect([begin("e"), admitted.runningCount]).toEqual([0, 4]);
});

test("one caller cannot take all slots", async () => {
  const { admitted, begin, endOne } = admission();
  expect([begin("a"), begin("a"), begin("a"), begin("b")]).toEqual([0, 0, 503, 0]);
  expect(admitted.shedCount("caller")).toBe(1);
  await endOne();
  expect(begin("a")).toBe(0);
});

test("a cheap call is admitted up to twice the limits", () => {
  const { begin } = admission({ perCallerMax: 100 });
  for (const caller of ["a", "b", "c", "d"]) begin(caller);
  expect([begin("e"), begin("e", true)]).toEqual([503, 0]);
  for (const caller of ["f", "g", "h"]) expect(begin(caller, true)).toBe(0);
  expect(begin("i", true)).toBe(503);
});

test("calls are shed at the limit of the event loop delay, and cheap calls at twice the limit", () => {
  const { admitted, begin, setDelay } = admission();
  setDelay(199);
  expect(begin("a")).toBe(0);
  setDelay(200);
  expect([begin("a"), begin("a", true)]).toEqual([503, 0]);
  setDelay(400);
  expect(begin("a", true)).toBe(503);
  expect(admitted.shedCount("loop")).toBe(2);
});

test("if a caller has less than an equal share of the running calls, its calls are shed only at twice the delay limit", () => {
  const { begin, setDelay } = admission({ callsMax: 100, perCallerMax: 100 });
  for (let call = 0; call < 9; call += 1) begin("greedy");
  begin("modest");
  setDelay(200);
  expect([begin("greedy"), begin("modest"), begin("new")]).toEqual([503, 0, 0]);
  setDelay(400);
  expect([begin("modest"), begin("another")]).toEqual([503, 503]);
});

test("at the limit of the event loop delay, a call is shed even if no other call runs", () => {
  const { begin, setDelay } = admission();
  setDelay(200);
  expect(begin("a")).toBe(503);
});

test("a call that is answered immediately holds no slot", () => {
  const { admitted } = admission({ callsMax: 1 });
  const call = { isCheap: false, caller: () => "a" };
  expect([1, 2, 3].map((value) => admitted.run(call, () => value))).toEqual([1, 2, 3]);
  expect(admitted.runningCount).toBe(0);
});

test("a call that fails frees its slot", async () => {
  const { admitted, begin } = admission({ callsMax: 1, perCallerMax: 1 });
  const call = { isCheap: false, caller: () => "a" };
  await expect(admitted.run(call, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(begin("a")).toBe(0);
});
