interface Keyed {
  readonly key: string;
}

/**
 * Returns the thing after (`by` 1) or before (`by` -1) the thing with the key `chosen`, and wraps around at the ends of
 * the list. If none is chosen, returns the first or the last thing. Returns undefined if the list is empty.
 */
export function nextThing<T extends Keyed>(things: readonly T[], chosen: string, by: 1 | -1): T | undefined {
  const place = things.findIndex(({ key }) => key === chosen);
  if (place < 0) return things.at(by === 1 ? 0 : -1);
  return things[(place + by + things.length) % things.length];
}
