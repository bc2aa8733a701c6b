/** Crockford's base 32: no I, L, O, U. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const TIME_CHARACTERS = 10;
const RANDOM_CHARACTERS = 16;
const BITS = 5;

/** The pattern of sortable ids with a prefix, in the syntax of JSON Schema. */
export function sortablePattern(prefix: string): string {
  return `^${prefix}_[0-9A-HJKMNP-TV-Z]{26}$`;
}

/**
 * Returns a new id, which consists of the prefix, the time `at` (epoch ms) and 80 random bits. Ids with the same prefix
 * sort by time. `randomBytes(n)` returns n secure random bytes.
 */
export function sortableId(prefix: string, at: number, randomBytes: (count: number) => Buffer): string {
  const time = charactersOf(BigInt(at), TIME_CHARACTERS);
  const bytes = randomBytes((RANDOM_CHARACTERS * BITS) / 8);
  return `${prefix}_${time}${charactersOf(BigInt(`0x${bytes.toString("hex")}`), RANDOM_CHARACTERS)}`;
}

/** The lowest bits of a number as base 32 characters, most significant first. */
function charactersOf(value: bigint, count: number): string {
  return Array.from(
    { length: count },
    (_, at) => ALPHABET[Number((value >> BigInt(BITS * (count - 1 - at))) & 31n)],
  ).join("");
}
