import { expect, test } from "vitest";
import { BreakerOpen, createBreaker } from "./breaker.js";
import { manualClock } from "./manual-clock.js";

const failing = async (): Promise<never> => {
  throw new Error("no answer");
};

/**
 * A breaker with a manual clock. After three failures, it refuses calls for a pause of two seconds. `passed` returns
 * the number of calls that the breaker did not refuse.
 */
function breakerUnderTest(isFailure?: (error: unknown) => boolean) {
  const clock = manualClock(1_000_000);
  const breaker = createBreaker({ clock, failuresMax: 3, restMs: 2_000 }, isFailure);
  let passed = 0;
  const call = (work: () => Promise<unknown>): Promise<unknown> =>
    breaker
      .run(() => {
        passed += 1;
        return work();
      })
      .catch((error: Error) => error);
  return { clock, breaker, call, passed: () => passed };
}

const works = async (): Promise<string> => "answer";

test("after three consecutive failures, calls are refused, and the error's cause is the last failure", async () => {
  const { call, passed } = breakerUnderTest();
  for (let times = 0; times < 3; times += 1) expect(await call(failing)).not.toBeInstanceOf(BreakerOpen);
  expect(await call(works)).toMatchObject({ name: "BreakerOpen", cause: { message: "no answer" } });
  expect(passed()).toBe(3);
});

test("failures that are not consecutive do not cause refusals", async () => {
  const { call } = breakerUnderTest();
  for (const work of [failing, failing, works, failing, failing]) await call(work);
  expect(await call(works)).toBe("answer");
});

test("after the pause, one call passes as a probe; if the probe succeeds, all calls pass", async () => {
  const { clock, call, passed } = breakerUnderTest();
  for (let times = 0; times < 3; times += 1) await call(failing);
  clock.advance(1_999);
  expect(await call(works)).toBeInstanceOf(BreakerOpen);
  clock.advance(1);
  let answer = (_text: string): void => undefined;
  const trying = call(() => new Promise<string>((resolve) => (answer = resolve)));
  expect(await call(works)).toBeInstanceOf(BreakerOpen);
  answer("late");
  expect(await trying).toBe("late");
  expect(await Promise.all([call(works), call(works)])).toEqual(["answer", "answer"]);
  expect(passed()).toBe(6);
});

test("a failed probe starts another pause", async () => {
  const { clock, call } = breakerUnderTest();
  for (let times = 0; times < 3; times += 1) await call(failing);
  clock.advance(2_000);
  expect(await call(failing)).not.toBeInstanceOf(BreakerOpen);
  clock.advance(1_999);
  expect(await call(works)).toBeInstanceOf(BreakerOpen);
  clock.advance(1);
  expect(await call(works)).toBe("answer");
});

test("an error that counts as an answer resets the failure count", async () => {
  const { call } = breakerUnderTest((error) => (error as Error).message === "no answer");
  const refusing = async (): Promise<never> => {
    throw new Error("wrong type");
  };
  for (const work of [failing, failing, refusing, failing, failing]) await call(work);
  expect(await call(works)).toBe("answer");
});

test("after `close` is called, the breaker lets calls through again", async () => {
  const { breaker, call } = breakerUnderTest();
  for (let times = 0; times < 3; times += 1) await call(failing);
  breaker.close();
  expect(await call(works)).toBe("answer");
});

test("setting the clock far back ends the pause", async () => {
  const { clock, call } = breakerUnderTest();
  for (let times = 0; times < 3; times += 1) await call(failing);
  clock.set(0);
  expect(await call(works)).toBe("answer");
});
