/**
 * The first line of a body that is stored as a difference. A whole body and the differences that build on it, directly
 * or through others, form a chain. The bodies of a chain are numbered, and the whole body is number 0. Each body builds
 * on the previous one, except that every eighth builds on the body eight places before it. Reading a body therefore
 * requires at most 15 bodies, including the body itself.
 */
export interface DeltaHead {
  readonly number: number;
  /**
   * Content hashes of the bodies that this body needs: its base, the base of its base, and so on. The last body is
   * whole.
   */
  readonly bases: readonly [string, ...string[]];
}

/** Highest number in a chain; the body after it is stored whole. */
const NUMBER_MAX = 63;
const STRIDE = 8;
const HASH = /^[0-9a-f]{64}$/;

/** Returns the number of the base that the body with this number builds on. */
export function baseNumber(number: number): number {
  return number % STRIDE === 0 ? number - STRIDE : number - 1;
}

/**
 * Returns the number and the base of the body that follows `previous`; undefined if the new body must be whole. `head`
 * is the head of `previous` if `previous` is stored as a difference.
 */
export function placeAfter(
  previous: string,
  head: DeltaHead | undefined,
): { readonly number: number; readonly base: string } | undefined {
  const number = (head?.number ?? 0) + 1;
  // If the number is a multiple of eight, the `bases` of the previous body begin with that body's seven predecessors,
  // nearest first. The seventh is eight places before the new body.
  const base = number % STRIDE === 0 ? head?.bases[STRIDE - 2] : previous;
  return number > NUMBER_MAX || base === undefined ? undefined : { number, base };
}

export function headText({ number, bases }: DeltaHead): string {
  let last = number;
  const numbered = bases.map((contentHash) => {
    last = baseNumber(last);
    return { number: last, contentHash };
  });
  return JSON.stringify({ format: "delta-1", number, bases: numbered });
}

/** Parses a head. Throws unless `headText` writes exactly this text. */
export function headIn(text: string): DeltaHead {
  // The cast is checked below: if the line has another shape, `headText` returns another text.
  const { number, bases } = JSON.parse(text) as { number: number; bases: readonly { contentHash: string }[] };
  const [base, ...others] = bases.map(({ contentHash }) => contentHash);
  if (base === undefined) throw new RangeError("a difference has no base");
  const head: DeltaHead = { number, bases: [base, ...others] };
  const isOwn = headText(head) === text && isChain(head);
  if (!isOwn) throw new RangeError("the head of a difference is not as written by this version");
  return head;
}

/** True if the bases lead from a body to the whole body of its chain. */
function isChain({ number, bases }: DeltaHead): boolean {
  if (!Number.isInteger(number) || number < 1 || number > NUMBER_MAX) return false;
  const first = bases.reduce((last) => baseNumber(last), number);
  return first === 0 && bases.every((contentHash) => HASH.test(contentHash));
}
