import { expect, test } from "vitest";
import { gatheredAnswers, type Reusable } from "./gathered-answers.js";

interface Answer extends Reusable {
  readonly text: string;
}

const good = (text: string, until = 100): Answer => ({ text, until, isGood: true });
const open = (): AbortSignal => new AbortController().signal;

function answers({ entriesMax = 10, bytesMax = 1_000 } = {}) {
  const kept = gatheredAnswers<Answer>({ entriesMax, bytesMax, bytesOf: ({ text }) => text.length });
  const reads: (string | undefined)[] = [];
  return {
    kept,
    reads,
    /** Asks at a time; what is read is `text`. */
    ask: (key: string, now: number, text: string | Promise<Answer>) =>
      kept.get(key, now, open(), async (before) => {
        reads.push(before?.text);
        return typeof text === "string" ? good(text, now + 100) : text;
      }),
  };
}

test("an answer is used while it holds, then read again with the newest good one at hand", async () => {
  const { ask, reads } = answers();
  expect((await ask("a", 0, "one")).text).toBe("one");
  expect((await ask("a", 99, "two")).text).toBe("one");
  const failed = Promise.resolve({ text: "failed", until: 110, isGood: false });
  expect((await ask("a", 100, failed)).text).toBe("failed");
  expect((await ask("a", 110, "three")).text).toBe("three");
  expect(reads).toEqual([undefined, "one", "one"]);
});

test("those who ask at the same time share one reading", async () => {
  const { ask, reads } = answers();
  const found = await Promise.all([ask("a", 0, "one"), ask("a", 0, "two"), ask("b", 0, "three")]);
  expect(found.map(({ text }) => text)).toEqual(["one", "one", "three"]);
  expect(reads).toHaveLength(2);
});

test("a reading ends when the last who waits for it gives up, not before", async () => {
  const { kept } = answers();
  const [first, second] = [new AbortController(), new AbortController()];
  const signals: AbortSignal[] = [];
  const never = (_: Answer | undefined, signal: AbortSignal): Promise<Answer> => {
    signals.push(signal);
    return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  };
  const waits = [kept.get("a", 0, first.signal, never), kept.get("a", 0, second.signal, never)];
  first.abort(new Error("first"));
  await expect(waits[0]).rejects.toThrow("first");
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  second.abort(new Error("second"));
  await expect(waits[1]).rejects.toThrow("second");
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  const third = kept.get("a", 0, open(), async () => good("fresh"));
  expect((await third).text).toBe("fresh");
});

test("what is kept is bounded in entries and in bytes", async () => {
  const { ask, reads } = answers({ entriesMax: 2, bytesMax: 50 });
  await ask("a", 0, "one");
  await ask("b", 0, "two");
  await ask("c", 0, "three");
  await ask("a", 1, "again");
  expect(reads).toHaveLength(4);
  await ask("d", 0, "x".repeat(100));
  await ask("d", 1, "y");
  expect(reads).toHaveLength(6);
});
