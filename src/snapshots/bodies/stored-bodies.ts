import { type BodyStore, UnreadableBody } from "../../database/bodies.js";
import { ClockPace, type LoopTurns } from "../../kit/loop-turns.js";
import { BodyDamaged, checkedText, type PartRecords, pack, recordsIn, unpacked } from "./body.js";
import { appliedDelta, keysOfPieces, lineDeltaSteps } from "./line-delta.js";

/** The records of generations as stored bodies: a compressed text, or its difference to the text of another body. */
export interface StoredBodies {
  /** The records of a body. Throws `BodyDamaged` if it, or a body that it builds on, is gone, altered or unreadable. */
  records(contentHash: string): Promise<PartRecords>;
  /** Stores a text, as its difference to the text of `base` where that is much shorter. Returns its size as below. */
  write(contentHash: string, text: string, base: string | undefined): Promise<number>;
  /**
   * Bytes of an undamaged body, for estimates of its content: those of the whole body that a difference builds on. Undefined
   * if it is gone or damaged.
   */
  undamagedLength(contentHash: string): Promise<number | undefined>;
}

/**
 * The first line of a body that is a difference. Bodies are numbered from a whole one, which is 0. Each builds on the one
 * before it, but every eighth on the eighth before it, so that a text is made of at most 15 bodies.
 */
interface DeltaHead {
  readonly format: "delta-1";
  readonly number: number;
  /** The body that it builds on first, then the one that that builds on; the last is whole. */
  readonly bases: readonly { readonly number: number; readonly contentHash: string }[];
}

/** Shorter texts are stored whole: a further file costs more than it saves. */
const DELTA_TEXT_MIN = 65_536;
/** Part of a text that is new, beyond which the text is stored whole. */
const OWN_SHARE_MAX = 0.2;
/** Number of the last difference before the next whole body. */
const NUMBER_MAX = 63;
const STRIDE = 8;
/** First byte of a head; gzip begins with another one. */
const BRACE = 123;
const NEWLINE = 10;

export function storedBodies(bodies: BodyStore, turns: LoopTurns): StoredBodies {
  /** The stored bytes of a body. Throws `BodyDamaged` if there are none or they cannot be read. */
  async function bytesOf(contentHash: string): Promise<Buffer> {
    const bytes = await bodies.get(contentHash).catch((error: unknown) => {
      throw error instanceof UnreadableBody ? new BodyDamaged(error.message, { cause: error }) : error;
    });
    if (!bytes) throw new BodyDamaged(`body ${contentHash.slice(0, 12)} is gone`);
    return bytes;
  }

  /** The unchecked text of a body with a number below `numberMax`. */
  async function textOf(contentHash: string, bytes: Buffer, numberMax = NUMBER_MAX): Promise<AsyncIterable<Buffer>> {
    const delta = deltaIn(contentHash, bytes);
    if (!delta) return unpacked(bytes);
    const { number, bases } = delta.head;
    const [base] = bases;
    // Falling numbers end the recursion even in a damaged body.
    if (!base || number > numberMax) throw new BodyDamaged(`body ${contentHash.slice(0, 12)} builds on no other one`);
    const baseText = await textOf(base.contentHash, await bytesOf(base.contentHash), number - 1);
    return appliedDelta(baseText, unpacked(delta.ops));
  }

  async function wholeLength(contentHash: string, bytes: Buffer): Promise<number> {
    const root = deltaIn(contentHash, bytes)?.head.bases.at(-1);
    return root ? (await bytesOf(root.contentHash)).byteLength : bytes.byteLength;
  }

  async function recordsOf(contentHash: string, bytes: Buffer): Promise<PartRecords> {
    return recordsIn(contentHash, await textOf(contentHash, bytes), turns);
  }

  /** The head of the body after `previous`, and the keys of the lines that it builds on; undefined if it must be whole. */
  async function continued(previous: string): Promise<Continued | undefined> {
    try {
      const bytes = await bytesOf(previous);
      const head = deltaIn(previous, bytes)?.head;
      const number = (head?.number ?? 0) + 1;
      if (number > NUMBER_MAX) return undefined;
      const path = [{ number: number - 1, contentHash: previous }, ...(head?.bases ?? [])];
      const baseNumber = number % STRIDE === 0 ? number - STRIDE : number - 1;
      const bases = path.slice(path.findIndex((base) => base.number === baseNumber));
      const [base] = bases;
      if (!base) return undefined;
      const text = await textOf(base.contentHash, await bytesOf(base.contentHash));
      const keys = await keysOfPieces(checkedText(base.contentHash, text));
      return { head: { format: "delta-1", number, bases }, keys };
    } catch (error) {
      // A damaged body carries no further one.
      if (error instanceof BodyDamaged) return undefined;
      throw error;
    }
  }

  async function deltaBytes(text: string, base: string): Promise<Delta | undefined> {
    const next = await continued(base);
    if (!next) return undefined;
    const pace = new ClockPace();
    const { ops, ownCharacters } = await turns.run(lineDeltaSteps(next.keys, text, pace), pace);
    if (ownCharacters > text.length * OWN_SHARE_MAX) return undefined;
    const head = Buffer.from(`${JSON.stringify(next.head)}\n`);
    return { bytes: Buffer.concat([head, await pack(ops)]), bases: next.head.bases.map(hashOf) };
  }

  /** False for a body that is stored again, because others may build on it. */
  async function mayBeDelta(contentHash: string, text: string): Promise<boolean> {
    if (text.length < DELTA_TEXT_MIN) return false;
    const stored = await bodies.get(contentHash).catch(() => "unreadable");
    return stored === undefined;
  }

  return {
    records: async (contentHash) => recordsOf(contentHash, await bytesOf(contentHash)),
    async write(contentHash, text, base) {
      const delta =
        base !== undefined && (await mayBeDelta(contentHash, text)) ? await deltaBytes(text, base) : undefined;
      const bytes = delta?.bytes ?? (await pack(text));
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

interface Continued {
  readonly head: DeltaHead;
  readonly keys: readonly string[];
}

interface Delta {
  readonly bytes: Buffer;
  readonly bases: readonly string[];
}

const hashOf = ({ contentHash }: { readonly contentHash: string }): string => contentHash;

/** The head and the packed ops of a body that is a difference; undefined for a whole one. */
function deltaIn(contentHash: string, bytes: Buffer): { readonly head: DeltaHead; readonly ops: Buffer } | undefined {
  if (bytes[0] !== BRACE) return undefined;
  const end = bytes.indexOf(NEWLINE);
  try {
    // Written by `deltaBytes`; the hash of the text shows whether its bases are the right ones.
    const head = JSON.parse(bytes.toString("utf8", 0, end)) as DeltaHead;
    return { head, ops: bytes.subarray(end + 1) };
  } catch (error) {
    throw new BodyDamaged(`body ${contentHash.slice(0, 12)} cannot be unpacked`, { cause: error });
  }
}
