/** Returns a sentence on data that is missing although every part was read; undefined if none is missing. */
export function lackingIn(parts: Readonly<Record<string, { readonly lacking?: string }>>): string | undefined {
  const sentences = Object.entries(parts).flatMap(([name, { lacking }]) =>
    lacking === undefined ? [] : [`${name}: ${lacking}`],
  );
  return sentences.length === 0 ? undefined : sentences.join("; ");
}
