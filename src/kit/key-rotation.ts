/** A key of a rotating set. The keys of a set are listed in the order in which they become active. */
export interface RotatingKey {
  readonly id: string;
  /** Hex. */
  readonly secret: string;
  /** Epoch ms from which the key signs. Every node has read the key by then. */
  readonly activeAt: number;
}

export interface RotationPolicy {
  /** Time for which a key signs. Longer than `tokenMsMax` and `leadMs` together, so that at most two keys are live. */
  readonly rotatedEveryMs: number;
  /**
   * Time between the creation of a key and its first signature, during which the other nodes read the key. The first
   * key of a set signs immediately.
   */
  readonly leadMs: number;
  /** Maximum time for which a token is accepted after it was signed. */
  readonly tokenMsMax: number;
}

/** The newest active key. If no key is active yet, as after a clock was set back, the oldest key. */
export function signingKeyAt<K extends RotatingKey>(keys: readonly K[], now: number): K | undefined {
  return keys.findLast(({ activeAt }) => activeAt <= now) ?? keys[0];
}

/**
 * True until every token of this key has expired. A key that is not yet active is also live, because other clocks may
 * be ahead.
 */
export function isLive(keys: readonly RotatingKey[], id: string, now: number, { tokenMsMax }: RotationPolicy): boolean {
  const at = keys.findIndex((key) => key.id === id);
  const successor = keys[at + 1];
  return at >= 0 && (successor === undefined || now < successor.activeAt + tokenMsMax);
}

/**
 * Returns the keys after a rotation. If the newest key is due for replacement, returns the live keys and a fresh key;
 * otherwise, returns the given keys. In both cases, drops every key that becomes active more than `leadMs` plus
 * `rotatedEveryMs` from now: a wrong clock created such a key, and the key would stop the rotation. A key that becomes
 * active sooner is kept, because the clock may have been set back. Returns the same array if nothing changes.
 */
export function rotated(
  keys: readonly RotatingKey[],
  now: number,
  policy: RotationPolicy,
  fresh: () => Pick<RotatingKey, "id" | "secret">,
): readonly RotatingKey[] {
  const plausible = keys.filter(({ activeAt }) => activeAt <= now + policy.leadMs + policy.rotatedEveryMs);
  const newest = plausible.at(-1);
  if (newest !== undefined && now < newest.activeAt + policy.rotatedEveryMs) {
    return plausible.length === keys.length ? keys : plausible;
  }
  const kept = plausible.filter(({ id }) => isLive(plausible, id, now, policy));
  return [...kept, { ...fresh(), activeAt: newest === undefined ? now : now + policy.leadMs }];
}
