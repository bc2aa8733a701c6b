import { describe, expect, test } from "vitest";
import { failure } from "../contract/failures.js";
import { answerCache } from "./answer-cache.js";
import type { ReadyAnswer } from "./data-answer/ready-answer.js";
import { representation, weightOf } from "./representation.js";

const NOW = Date.UTC(2026, 10, 18, 12);
const MEGABYTE = 1_000_000;

function answerOf(text: string, stamp = "1", validUntil = Number.POSITIVE_INFINITY): ReadyAnswer {
  return {
    body: representation(text, "t"),
    bodyHeaders: {},
    stamp,
    validUntil,
    cacheableUntil: validUntil,
    hasMarker: false,
    sent: new WeakMap(),
  };
}

/** A maker that counts its calls and returns these answers in turn, repeating the last one. */
function maker(...answers: readonly ReadyAnswer[]) {
  const make = async (): Promise<ReadyAnswer> => {
    const next = answers[Math.min(counter.calls, answers.length - 1)];
    counter.calls++;
    if (!next) throw new Error("nothing to give");
    return next;
  };
  const counter = { calls: 0, make };
  return counter;
}

/** A maker that waits until the test lets it finish. */
function slowMaker(answer: ReadyAnswer) {
  let finish: (answer: ReadyAnswer) => void = () => undefined;
  const pending = new Promise<ReadyAnswer>((resolve) => {
    finish = resolve;
  });
  return { make: () => pending, finish: () => finish(answer) };
}

test("if the caller who started an answer is over a limit, a caller who joined that answer starts a new one", async () => {
  const cache = answerCache(MEGABYTE);
  let refuse: (error: Error) => void = () => undefined;
  const refused = new Promise<ReadyAnswer>((_, reject) => {
    refuse = reject;
  });
  const first = cache.get("key", "1", NOW, () => refused);
  const answer = answerOf("a");
  const second = cache.get("key", "1", NOW, async () => answer);
  refuse(failure("tooManyRequests", { headers: {} }));
  await expect(first).rejects.toMatchObject({ status: 429 });
  expect(await second).toBe(answer);
});

describe("ready answers", () => {
  test("a ready answer is returned synchronously", async () => {
    const cache = answerCache(MEGABYTE);
    const answer = answerOf("a");
    const { make } = maker(answer);
    await cache.get("key", "1", NOW, make);
    expect(cache.get("key", "1", NOW, make)).toBe(answer);
  });

  test("an answer is made again for another stamp and then cached for that stamp", async () => {
    const cache = answerCache(MEGABYTE);
    const [first, second] = [answerOf("a", "1"), answerOf("b", "2")];
    const counter = maker(first, second);
    expect(await cache.get("key", "1", NOW, counter.make)).toBe(first);
    expect(await cache.get("key", "2", NOW, counter.make)).toBe(second);
    expect(cache.get("key", "2", NOW, counter.make)).toBe(second);
    expect(counter.calls).toBe(2);
  });

  test("each key has its own answer", async () => {
    const cache = answerCache(MEGABYTE);
    const counter = maker(answerOf("a"), answerOf("b"));
    await cache.get("a", "1", NOW, counter.make);
    await cache.get("b", "1", NOW, counter.make);
    expect(counter.calls).toBe(2);
  });

  test("an answer is valid until just before its validUntil", async () => {
    const cache = answerCache(MEGABYTE);
    const [first, second] = [answerOf("a", "1", NOW + 10), answerOf("b", "1", NOW + 20)];
    const counter = maker(first, second);
    await cache.get("key", "1", NOW, counter.make);
    expect(await cache.get("key", "1", NOW + 9, counter.make)).toBe(first);
    expect(await cache.get("key", "1", NOW + 10, counter.make)).toBe(second);
    expect(await cache.get("key", "1", NOW + 19, counter.make)).toBe(second);
    expect(counter.calls).toBe(2);
  });
});

test("an answer that was made while the clock was ahead is made again once the clock is set back", async () => {
  const cache = answerCache(MEGABYTE);
  const [ahead, now] = [answerOf("a", "1", NOW + 10), answerOf("b", "1", NOW - 5)];
  const counter = maker(ahead, now);
  await cache.get("key", "1", NOW, counter.make);
  expect(await cache.get("key", "1", NOW - 10, counter.make)).toBe(now);
  expect(cache.get("key", "1", NOW - 9, counter.make)).toBe(now);
});

describe("answers in progress", () => {
  test("500 concurrent callers share one answer", async () => {
    const cache = answerCache(MEGABYTE);
    const answer = answerOf("a");
    const counter = maker(answer);
    const answers = await Promise.all(Array.from({ length: 500 }, () => cache.get("key", "1", NOW, counter.make)));
    expect(new Set(answers)).toEqual(new Set([answer]));
    expect(counter.calls).toBe(1);
  });

  test("an answer in progress for an older stamp is not shared with callers of a newer stamp", async () => {
    const cache = answerCache(MEGABYTE);
    const [older, newer] = [slowMaker(answerOf("a", "1")), answerOf("b", "2")];
    const first = cache.get("key", "1", NOW, older.make);
    expect(await cache.get("key", "2", NOW, maker(newer).make)).toBe(newer);
    older.finish();
    expect((await first).stamp).toBe("1");
    // The late answer may have replaced the newer one, but is not returned for the newer stamp.
    expect((await cache.get("key", "2", NOW, maker(newer).make)).stamp).toBe("2");
  });

  // Otherwise, a caller could get an answer that had expired before the call.
  test("an answer in progress is not shared with callers who arrive after it has expired", async () => {
    const cache = answerCache(MEGABYTE);
    const slow = slowMaker(answerOf("yesterday", "1", NOW + 10));
    const today = answerOf("today", "1", NOW + 100);
    const first = cache.get("key", "1", NOW + 9, slow.make);
    const late = cache.get("key", "1", NOW + 10, maker(today).make);
    slow.finish();
    await first;
    expect(await late).toBe(today);
  });
});

describe("an answer that cannot be made", () => {
  test("if an answer cannot be made, all waiting callers get the error, and the next caller starts again", async () => {
    const cache = answerCache(MEGABYTE);
    let calls = 0;
    const failing = async (): Promise<ReadyAnswer> => {
      calls++;
      throw new Error("a bug");
    };
    const ended = await Promise.allSettled(Array.from({ length: 5 }, () => cache.get("key", "1", NOW, failing)));
    expect(new Set(ended.map(({ status }) => status))).toEqual(new Set(["rejected"]));
    expect(calls).toBe(1);
    const answer = answerOf("a");
    expect(await cache.get("key", "1", NOW, maker(answer).make)).toBe(answer);
  });

  test("if an answer cannot be made, the answer that was ready for another stamp is kept", async () => {
    const cache = answerCache(MEGABYTE);
    const answer = answerOf("a", "1");
    await cache.get("key", "1", NOW, maker(answer).make);
    await expect(cache.get("key", "2", NOW, maker().make)).rejects.toThrow("nothing to give");
    expect(cache.get("key", "1", NOW, maker().make)).toBe(answer);
  });
});

describe("callers who disconnect", () => {
  /** A maker that runs until the test cancels or finishes it, and keeps the signal of each call. */
  function cancellable(answer: ReadyAnswer) {
    const signals: AbortSignal[] = [];
    let finish: () => void = () => undefined;
    const make = (signal: AbortSignal): Promise<ReadyAnswer> =>
      new Promise((resolve, reject) => {
        signals.push(signal);
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        finish = () => resolve(answer);
      });
    return { make, signals, finish: () => finish() };
  }

  function caller() {
    const controller = new AbortController();
    return { gone: () => controller.signal, leave: () => controller.abort() };
  }

  /** A cache whose only answer is being made for these callers. */
  function waiting(...callers: readonly Pick<ReturnType<typeof caller>, "gone">[]) {
    const cache = answerCache(MEGABYTE);
    const answer = answerOf("a");
    const counter = cancellable(answer);
    const answers = callers.map(({ gone }) => cache.get("key", "1", NOW, counter.make, gone));
    return { cache, answer, counter, answers, ended: Promise.allSettled(answers) };
  }

  test("if the only caller of an answer disconnects, the answer is cancelled, and its error states the reason", async () => {
    const only = caller();
    const { counter, answers } = waiting(only);
    expect(counter.signals.map(({ aborted }) => aborted)).toEqual([false]);
    only.leave();
    expect(counter.signals.map(({ aborted }) => aborted)).toEqual([true]);
    await expect(answers[0]).rejects.toThrow("no caller waits for this answer any more");
  });

  test("an answer is cancelled only when the last of its callers disconnects", async () => {
    const [first, second, third] = [caller(), caller(), caller()];
    const { counter, ended } = waiting(first, second, third);
    for (const { leave } of [second, first]) {
      leave();
      expect(counter.signals[0]?.aborted).toBe(false);
    }
    third.leave();
    expect(counter.signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect((await ended).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  });

  test("if one caller disconnects, a caller who stays gets the answer", async () => {
    const [going, staying] = [caller(), caller()];
    const { counter, answer, answers } = waiting(going, staying);
    going.leave();
    counter.finish();
    expect(await answers[1]).toBe(answer);
    expect(counter.signals).toHaveLength(1);
  });

  test("if one caller disconnects, a caller without a signal gets the answer", async () => {
    const going = caller();
    const { cache, counter, answer } = waiting(going);
    const staying = cache.get("key", "1", NOW, counter.make);
    going.leave();
    expect(counter.signals[0]?.aborted).toBe(false);
    counter.finish();
    expect(await staying).toBe(answer);
  });

  test("an answer stays ready if its callers disconnect after it was made", async () => {
    const only = caller();
    const { cache, counter, answer, ended } = waiting(only);
    counter.finish();
    await ended;
    only.leave();
    expect(cache.get("key", "1", NOW, counter.make)).toBe(answer);
    expect(counter.signals).toHaveLength(1);
  });

  test("a new caller does not join a cancelled answer: the answer is made again", async () => {
    const going = caller();
    const { cache, counter } = waiting(going);
    going.leave();
    const answer = answerOf("b");
    expect(await cache.get("key", "1", NOW, maker(answer).make, caller().gone)).toBe(answer);
    expect(counter.signals[0]?.aborted).toBe(true);
    expect(cache.get("key", "1", NOW, maker().make)).toBe(answer);
  });

  test("a later caller can join the answer that is being made in place of a cancelled one", async () => {
    const [going, next, third] = [caller(), caller(), caller()];
    const { cache, counter, ended } = waiting(going);
    going.leave();
    const successor = cancellable(answerOf("b"));
    const second = cache.get("key", "1", NOW, successor.make, next.gone);
    await ended;
    const joined = cache.get("key", "1", NOW, successor.make, third.gone);
    successor.finish();
    expect(await joined).toBe(await second);
    expect([counter.signals.length, successor.signals.length]).toEqual([1, 1]);
  });

  test("if a caller has already disconnected when it asks for an answer, the answer is cancelled at once", async () => {
    const cache = answerCache(MEGABYTE);
    const counter = cancellable(answerOf("a"));
    const answers = cache.get("key", "1", NOW, counter.make, () => AbortSignal.abort());
    expect(counter.signals.map(({ aborted }) => aborted)).toEqual([true]);
    await expect(answers).rejects.toThrow("no caller waits");
  });

  test("callers who disconnect do not cancel answers for another key or stamp", async () => {
    const [going, staying] = [caller(), caller()];
    const { cache, counter, ended } = waiting(going);
    const others = ["key", "other"].map((key) => cache.get(key, "2", NOW, counter.make, staying.gone));
    going.leave();
    await ended;
    expect(counter.signals.map(({ aborted }) => aborted)).toEqual([true, false, false]);
    staying.leave();
    expect((await Promise.allSettled(others)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  });
});

describe("the size limit", () => {
  const tenKilobytes = "x".repeat(10_000);

  test("the limit holds for any number of answers, and the cache drops the least recently used answers first", async () => {
    const cache = answerCache(100_000);
    for (let index = 0; index < 50; index++) {
      await cache.get(`key ${index}`, "1", NOW, maker(answerOf(tenKilobytes)).make);
      // This answer is requested in every round, so that it is never the least recently used.
      await cache.get("key 0", "1", NOW, maker(answerOf("made again")).make);
      expect(cache.bytes).toBeLessThanOrEqual(100_000);
    }
    expect(cache.bytes).toBeGreaterThan(50_000);
    const kept = await cache.get("key 0", "1", NOW, maker(answerOf("made again")).make);
    expect(kept.body.identity.toString()).toBe(tenKilobytes);
    const gone = await cache.get("key 1", "1", NOW, maker(answerOf("made again")).make);
    expect(gone.body.identity.toString()).toBe("made again");
  });

  test("the size of an answer is the size of all its encodings plus the size of its key", async () => {
    const cache = answerCache(MEGABYTE);
    const answer = answerOf(tenKilobytes);
    await cache.get("key", "1", NOW, maker(answer).make);
    expect(cache.bytes).toBe(weightOf(answer.body) + 2 * "key".length);
  });

  test("an answer larger than the cache is returned but not stored", async () => {
    const cache = answerCache(1_000);
    const counter = maker(answerOf(tenKilobytes));
    await cache.get("key", "1", NOW, counter.make);
    await cache.get("key", "1", NOW, counter.make);
    expect({ calls: counter.calls, bytes: cache.bytes }).toEqual({ calls: 2, bytes: 0 });
  });

  test("a newer answer replaces the older one", async () => {
    const cache = answerCache(MEGABYTE);
    await cache.get("key", "1", NOW, maker(answerOf(tenKilobytes, "1")).make);
    const newer = answerOf("b", "2");
    await cache.get("key", "2", NOW, maker(newer).make);
    expect(cache.bytes).toBe(weightOf(newer.body) + 2 * "key".length);
  });
});
