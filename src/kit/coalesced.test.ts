import { expect, test } from "vitest";
import { coalesced } from "./coalesced.js";

/** Coalesced work. Each run lasts until the test resolves or rejects the run's entry in `ends`. */
function heldWork() {
  const ends: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = [];
  const run = coalesced(() => new Promise<void>((resolve, reject) => void ends.push({ resolve, reject })));
  return { ends, run };
}

test("calls during a run share the next run", async () => {
  const { ends, run } = heldWork();
  const [first, second, third] = [run(), run(), run()];
  expect(ends).toHaveLength(1);
  ends[0]?.resolve();
  await first;
  await Promise.resolve();
  expect(ends).toHaveLength(2);
  ends[1]?.resolve();
  await Promise.all([second, third]);
  expect(ends).toHaveLength(2);
});

test("a failed run rejects only for its own callers", async () => {
  const { ends, run } = heldWork();
  const [first, second] = [run(), run()];
  ends[0]?.reject(new Error("no store"));
  await expect(first).rejects.toThrow("no store");
  ends[1]?.resolve();
  await second;
});

test("a call between the end of a run and the start of the queued run shares the queued run", async () => {
  const { ends, run } = heldWork();
  const first = run();
  const later = first.then(run);
  const second = run();
  ends[0]?.resolve();
  await first;
  await new Promise((resolve) => setImmediate(resolve));
  expect(ends).toHaveLength(2);
  ends[1]?.resolve();
  await Promise.all([second, later]);
  expect(ends).toHaveLength(2);
});
