import { type BodyStore, UnreadableBody } from "../../database/bodies.js";
import { ClockPace, type LoopTurns } from "../../kit/loop-turns.js";
import {
  BodyDamaged,
  checkedText,
  type PartRecords,
  pack,
  type RecordBatch,
  recordBatches,
  recordsIn,
  type TextLines,
  unpacked,
} from "./body.js";
import { baseNumber, type DeltaHead, headIn, headText, placeAfter } from "./delta-head.js";
import { appliedDelta, keysOfPieces, lineDeltaSteps } from "./line-delta.js";

/**
 * Stores the records of generations as bodies. A whole body is a compressed text. Every other body is the difference of
 * its text from the text of another body, on which it builds. The bodies that build on the same whole body, directly or
 * through others, form a chain with the whole body as its root.
 */
export interface StoredBodies {
  /** The records of a body. Throws `BodyDamaged` if it, or a body that it builds on, is gone, altered or unreadable. */
  records(contentHash: string): Promise<PartRecords>;
  /**
   * The same records piece by piece, in bounded memory. No record is verified before the end. Throws `BodyDamaged`
   * during the read or at its end.
   */
  batches(contentHash: string): AsyncIterable<RecordBatch>;
  /**
   * Stores a text as a body. Stores only its difference from `base`, or from an earlier body in the chain of `base`
   * (`placeAfter`), if the difference is much shorter than the text. Returns the same size as `undamagedLength`.
   */
  write(contentHash: string, lines: TextLines, base: string | undefined): Promise<number>;
  /**
   * Stored size of an undamaged body in bytes, for estimating its memory. For a difference, the size of the whole body
   * at the root of its chain. Undefined if the body is gone or damaged.
   */
  undamagedLength(contentHash: string): Promise<number | undefined>;
}

/** Shorter texts are stored whole: a difference would save little, and reading it needs other bodies as well. */
const DELTA_TEXT_MIN = 65_536;
/** A text is stored whole if more than this share of the text is in lines that the difference adds. */
const OWN_SHARE_MAX = 0.2;
/** First byte of the head of a difference; gzip data starts with another byte. */
const BRACE = 123;
const NEWLINE = 10;

type GetBody = BodyStore["get"];

/** Reads the text of bodies; the text of a difference is assembled from the bodies that it builds on. */
function bodyTexts(get: GetBody): {
  bytesOf(contentHash: string): Promise<Buffer>;
  textOf(contentHash: string, bytes: Buffer): Promise<AsyncIterable<Buffer>>;
} {
  /** Reads the stored bytes of a body. Throws `BodyDamaged` if there are none or they cannot be read. */
  async function bytesOf(contentHash: string): Promise<Buffer> {
    const bytes = await get(contentHash).catch((error: unknown) => {
      throw error instanceof UnreadableBody ? new BodyDamaged(error.message, { cause: error }) : error;
    });
    if (!bytes) throw new BodyDamaged(`body ${contentHash.slice(0, 12)} is gone`);
    return bytes;
  }

  /** Returns the unchecked text of a body. */
  async function textOf(contentHash: string, bytes: Buffer): Promise<AsyncIterable<Buffer>> {
    const delta = deltaIn(contentHash, bytes);
    if (!delta) return unpacked(bytes);
    const [base] = delta.head.bases;
    const baseBytes = await bytesOf(base);
    const baseHead = deltaIn(base, baseBytes)?.head;
    // This check ensures that a base has a smaller number than the body that builds on it. The recursion therefore ends
    // even if bodies are damaged.
    if (baseHead && !isNext(delta.head, baseHead)) {
      throw new BodyDamaged(`body ${contentHash.slice(0, 12)} does not build on an earlier body of its chain`);
    }
    return appliedDelta(await textOf(base, baseBytes), unpacked(delta.ops));
  }

  return { bytesOf, textOf };
}

/**
 * Reads a body, and those that it builds on, in bounded memory. Throws `BodyDamaged` if one of them is gone or
 * unreadable, or if the text of the body does not match its hash.
 */
export async function checkBody(get: GetBody, contentHash: string): Promise<void> {
  const { bytesOf, textOf } = bodyTexts(get);
  for await (const _ of checkedText(contentHash, await textOf(contentHash, await bytesOf(contentHash))));
}

/**
 * Returns the other bodies that a stored body needs; none for a whole body. Throws `BodyDamaged` for a damaged head.
 */
export function basesOf(contentHash: string, bytes: Buffer): readonly string[] {
  return deltaIn(contentHash, bytes)?.head.bases ?? [];
}

export function storedBodies(bodies: BodyStore, turns: LoopTurns): StoredBodies {
  const { bytesOf, textOf } = bodyTexts((contentHash) => bodies.get(contentHash));

  async function wholeLength(contentHash: string, bytes: Buffer): Promise<number> {
    const root = deltaIn(contentHash, bytes)?.head.bases.at(-1);
    return root === undefined ? bytes.byteLength : (await bytesOf(root)).byteLength;
  }

  async function recordsOf(contentHash: string, bytes: Buffer): Promise<PartRecords> {
    return recordsIn(contentHash, await textOf(contentHash, bytes), turns);
  }

  /**
   * Returns the head for a new body after `previous`, and the keys of the lines of the new body's base. Undefined if
   * the new body must be stored whole.
   */
  async function continued(previous: string): Promise<Continued | undefined> {
    try {
      const place = placeAfter(previous, deltaIn(previous, await bytesOf(previous))?.head);
      if (!place) return undefined;
      const { number, base } = place;
      const bytes = await bytesOf(base);
      const baseHead = deltaIn(base, bytes)?.head;
      // If the base has another number, it was stored again as a whole body, and its chain has ended.
      if ((baseHead?.number ?? 0) !== baseNumber(number)) return undefined;
      const keys = await keysOfPieces(checkedText(base, await textOf(base, bytes)));
      return { head: { number, bases: [base, ...(baseHead?.bases ?? [])] }, keys };
    } catch (error) {
      // No further body may build on a damaged one.
      if (error instanceof BodyDamaged) return undefined;
      throw error;
    }
  }

  async function deltaBytes(lines: TextLines, base: string): Promise<Delta | undefined> {
    const next = await continued(base);
    if (!next) return undefined;
    const pace = new ClockPace();
    const { ops, ownCharacters } = await turns.run(lineDeltaSteps(next.keys, lines, pace), pace);
    if (ownCharacters > lengthOf(lines) * OWN_SHARE_MAX) return undefined;
    const head = Buffer.from(`${headText(next.head)}\n`);
    return { bytes: Buffer.concat([head, await pack(ops)]), bases: next.head.bases };
  }

  /**
   * True if a body may be stored as a difference. False if its text is short, if it is already stored, or if other
   * bodies build on it.
   */
  async function mayBeDelta(contentHash: string, lines: TextLines): Promise<boolean> {
    if (lengthOf(lines) < DELTA_TEXT_MIN || (await bodies.isBase(contentHash))) return false;
    try {
      return (await bodies.get(contentHash)) === undefined;
    } catch (error) {
      if (error instanceof UnreadableBody) return false;
      throw error;
    }
  }

  return {
    records: async (contentHash) => recordsOf(contentHash, await bytesOf(contentHash)),
    async *batches(contentHash) {
      yield* recordBatches(contentHash, await textOf(contentHash, await bytesOf(contentHash)));
    },
    async write(contentHash, lines, base) {
      const delta =
        base !== undefined && (await mayBeDelta(contentHash, lines)) ? await deltaBytes(lines, base) : undefined;
      const bytes = delta?.bytes ?? (await pack(lines));
      await bodies.put(contentHash, bytes, delta?.bases ?? []);
      return wholeLength(contentHash, bytes);
    },
    async undamagedLength(contentHash) {
      try {
        const bytes = await bytesOf(contentHash);
        await recordsOf(contentHash, bytes);
        return await wholeLength(contentHash, bytes);
      } catch (error) {
        if (error instanceof BodyDamaged) return undefined;
        throw error;
      }
    },
  };
}

/** Returns the number of characters of a text, with its line breaks. */
function lengthOf(lines: TextLines): number {
  return lines.reduce((length, line) => length + line.length + 1, -1);
}

interface Continued {
  readonly head: DeltaHead;
  readonly keys: readonly string[];
}

interface Delta {
  readonly bytes: Buffer;
  readonly bases: readonly string[];
}

/** True if a body and its base are consistent: the body lists that base, followed by the base's own bases. */
function isNext({ number, bases: [, ...others] }: DeltaHead, base: DeltaHead): boolean {
  return base.number === baseNumber(number) && base.bases.join() === others.join();
}

/** Reads the head and the packed ops of a body that is a difference; undefined for a whole one. */
function deltaIn(contentHash: string, bytes: Buffer): { readonly head: DeltaHead; readonly ops: Buffer } | undefined {
  if (bytes[0] !== BRACE) return undefined;
  const end = bytes.indexOf(NEWLINE);
  try {
    return { head: headIn(bytes.toString("utf8", 0, end)), ops: bytes.subarray(end + 1) };
  } catch (error) {
    throw new BodyDamaged(`body ${contentHash.slice(0, 12)} cannot be unpacked`, { cause: error });
  }
}
