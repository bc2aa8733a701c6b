import type { StoreSnapshot } from "../database/store-snapshot.js";
import { BodyDamaged } from "../snapshots/bodies/body.js";
import { basesOf, checkBody } from "../snapshots/bodies/stored-bodies.js";
import { type BackupPlace, type BackupWriter, wholeFile } from "./backup-place.js";
import type { Manifest } from "./manifest.js";

export type BodyCopy = Manifest["bodies"][number];

/**
 * The copies of bodies in a backup. A body is the stored content of a generation. It may be stored as its difference
 * from another body, its base. To read a copy, only the copies of its bases are needed, never the store.
 */
export interface BodyCopies {
  /**
   * Copies these bodies and their bases, except those that already have a copy. Returns the bodies that are missing
   * from the store.
   */
  add(snapshot: Pick<StoreSnapshot, "body">, contentHashes: readonly string[]): Promise<readonly string[]>;
  /** Returns the copies of these bodies and of their bases. */
  of(contentHashes: readonly string[]): readonly BodyCopy[];
  /** Reads all new copies. Returns the bodies that do not match their hash. */
  check(onBody: (checked: number, of: number) => void): Promise<readonly string[]>;
  /** The number of new copies, and their total size in bytes. */
  added(): { readonly count: number; readonly bytes: number };
}

interface CopiesOptions {
  readonly place: BackupPlace;
  readonly files: BackupWriter;
  /** The previous backup in the same place. */
  readonly before: Manifest | undefined;
  readonly signal: AbortSignal;
  readonly onCopy: (copied: number, of: number) => void;
}

export async function bodyCopies({ place, files, before, signal, onCopy }: CopiesOptions): Promise<BodyCopies> {
  const copies = new Map<string, BodyCopy>();
  const fresh = new Map<string, BodyCopy>();
  const spoilt = new Set(before?.damagedBodies);
  for (const copy of before?.bodies ?? []) {
    if (!spoilt.has(copy.contentHash) && (await files.has(copy.file))) copies.set(copy.contentHash, copy);
  }

  async function get(contentHash: string): Promise<Buffer | undefined> {
    const copy = copies.get(contentHash);
    return copy && wholeFile(place, copy.file.path);
  }

  return {
    async add(snapshot, contentHashes) {
      const lost: string[] = [];
      const pending = [...contentHashes];
      for (let done = 0; done < pending.length; done += 1) {
        signal.throwIfAborted();
        const contentHash = pending[done] as string;
        if (copies.has(contentHash)) continue;
        const bytes = await snapshot.body(contentHash);
        if (bytes === undefined) {
          lost.push(contentHash);
          continue;
        }
        const bases = basesIn(contentHash, bytes);
        const copy = { contentHash, bases: [...bases], file: await files.put(`bodies/${contentHash}`, "", [bytes]) };
        copies.set(contentHash, copy);
        fresh.set(contentHash, copy);
        pending.push(...bases.filter((base) => !copies.has(base)));
        onCopy(done + 1, pending.length);
      }
      return lost;
    },
    of(contentHashes) {
      const needed = new Set(contentHashes);
      for (const contentHash of needed) for (const base of copies.get(contentHash)?.bases ?? []) needed.add(base);
      return [...needed].sort().flatMap((contentHash) => copies.get(contentHash) ?? []);
    },
    async check(onBody) {
      const faulty: string[] = [];
      for (const [index, contentHash] of [...fresh.keys()].entries()) {
        signal.throwIfAborted();
        await checkBody(get, contentHash).catch((error: unknown) => {
          if (!(error instanceof BodyDamaged)) throw error;
          faulty.push(contentHash);
        });
        onBody(index + 1, fresh.size);
      }
      return faulty;
    },
    added: () => ({
      count: fresh.size,
      bytes: [...fresh.values()].reduce((sum, { file }) => sum + file.bytes, 0),
    }),
  };
}

/** Reads the bases of a body from its header; none if the header is damaged. `check` reports the damage later. */
function basesIn(contentHash: string, bytes: Buffer): readonly string[] {
  try {
    return basesOf(contentHash, bytes);
  } catch (error) {
    if (error instanceof BodyDamaged) return [];
    throw error;
  }
}
