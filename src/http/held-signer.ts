import type { ProofSigner } from "../database/proof-keys.js";
import { type Clock, MINUTE_MS } from "../kit/clock.js";

export interface HeldSignerParts {
  readonly clock: Clock;
  readonly read: () => Promise<ProofSigner>;
  readonly onFault: (error: unknown) => void;
}

/** Time after which the key is read again, because another node may have replaced it. */
const READ_EVERY_MS = MINUTE_MS;

/**
 * Caches the key that signs answers, so that signing needs no query. While the store cannot be read, the cached key
 * stays in use until the key expires.
 */
export function heldSigner({ clock, read, onFault }: HeldSignerParts): () => ProofSigner | Promise<ProofSigner> {
  let held: ProofSigner | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<ProofSigner> | undefined;

  function refresh(): Promise<ProofSigner> {
    reading ??= read()
      .then((signer) => {
        held = signer;
        return signer;
      })
      .finally(() => {
        reading = undefined;
        readAt = clock.now();
      });
    return reading;
  }

  return () => {
    const now = clock.now();
    if (held === undefined || now < held.signsFrom || now > held.signsUntil) return refresh();
    if (Math.abs(now - readAt) >= READ_EVERY_MS && !reading) refresh().catch(onFault);
    return held;
  };
}
