import { expect, test } from "vitest";
import type { ProofSigner } from "../database/proof-keys.js";
import { MINUTE_MS } from "../kit/clock.js";
import { manualClock } from "../kit/manual-clock.js";
import { heldSigner } from "./held-signer.js";

const NOW = Date.UTC(2026, 10, 23);
const LIFE_MS = 10 * MINUTE_MS;

const key = (keyId: string, at: number): ProofSigner => ({
  keyId,
  signsFrom: at - MINUTE_MS,
  signsUntil: at + LIFE_MS,
  sign: () => Buffer.from(keyId),
});

/** A cached signer whose reads of the store yield these keys or errors, one after the other. */
function opened(reads: (ProofSigner | Error)[]) {
  const clock = manualClock(NOW);
  const faults: unknown[] = [];
  const read = async (): Promise<ProofSigner> => {
    const next = reads.shift();
    if (next === undefined || next instanceof Error) throw next ?? new Error("no read was expected");
    return next;
  };
  return { clock, faults, reads, signer: heldSigner({ clock, read, onFault: (error) => faults.push(error) }) };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("the key is read once for concurrent first calls and then cached", async () => {
  const { signer } = opened([key("a", NOW)]);
  const first = await Promise.all([signer(), signer()]);
  expect(first.map(({ keyId }) => keyId)).toEqual(["a", "a"]);
  expect(signer()).toBe(first[0]);
});

test("after a minute the cached key stays in use while its successor is read", async () => {
  const { clock, signer } = opened([key("a", NOW), key("b", NOW)]);
  await signer();
  clock.advance(MINUTE_MS - 1);
  expect(signer()).toMatchObject({ keyId: "a" });
  clock.advance(1);
  expect(signer()).toMatchObject({ keyId: "a" });
  await settled();
  expect(signer()).toMatchObject({ keyId: "b" });
});

test("while the store fails, the cached key is used until it expires, and the failure is reported once a minute", async () => {
  const lost = new Error("the store is lost");
  const { clock, faults, signer } = opened([key("a", NOW), lost, lost, lost]);
  await signer();
  for (const minute of [1, 2]) {
    clock.advance(MINUTE_MS);
    expect([signer(), signer()]).toMatchObject([{ keyId: "a" }, { keyId: "a" }]);
    await settled();
    expect([signer(), faults.length]).toMatchObject([{ keyId: "a" }, minute]);
  }
  clock.advance(LIFE_MS);
  await expect(signer()).rejects.toBe(lost);
});

test.each([
  ["has expired", LIFE_MS + 1],
  ["is not valid yet because the clock was set back", -MINUTE_MS - 1],
])("a key that %s is never used", async (_, ms) => {
  const { clock, signer } = opened([key("a", NOW), key("b", NOW + ms)]);
  await signer();
  clock.advance(ms);
  const next = signer();
  expect(next).toBeInstanceOf(Promise);
  expect(await next).toMatchObject({ keyId: "b" });
});
