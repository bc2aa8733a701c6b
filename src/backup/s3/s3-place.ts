import { createHash, randomBytes } from "node:crypto";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { DAY_MS } from "../../kit/clock.js";
import { OperatorError } from "../../kit/operator-error.js";
import { type BackupPlace, type BackupWriter, FOLDERS } from "../backup-place.js";
import { filesOf, MANIFEST_FILE, manifestText } from "../manifest.js";
import { measured } from "../measured.js";
import type { ObjectStore } from "./object-store.js";

export interface S3PlaceOptions {
  readonly bucket: string;
  /** Empty, or ends with a slash. */
  readonly prefix: string;
  readonly objects: ObjectStore;
  readonly now: () => number;
}

/** Maximum size of an object that one request can store. */
const OBJECT_BYTES_MAX = 5 * 1_024 ** 3;
/**
 * A file that is older than this, and that neither the previous nor the new manifest names, is treated as left over
 * from an interrupted backup.
 */
const LEFT_OVER_AFTER_MS = DAY_MS;

/**
 * Uses a prefix of a bucket as the storage location of a backup. Files pass through a temporary folder, because the
 * signature of an upload needs the hash of the file before the first byte is sent. The folder also caches downloads, so
 * a file that has been checked is not downloaded again.
 */
export function s3Place({ bucket, prefix, objects, now }: S3PlaceOptions): BackupPlace {
  let room: Promise<string> | undefined;
  const folder = (): Promise<string> => {
    room ??= mkdtemp(join(tmpdir(), "vigil-s3-"));
    return room;
  };
  const keyOf = (path: string): string => `${prefix}${path}`;
  const nameOf = (path = ""): string => `s3://${bucket}/${keyOf(path)}`;

  /** The local copy of a file; undefined if the bucket has none. */
  async function fetched(path: string): Promise<string | undefined> {
    const local = join(await folder(), createHash("sha256").update(path).digest("hex"));
    if (existsSync(local)) return local;
    const partial = `${local}.${randomBytes(4).toString("hex")}`;
    if (!(await objects.getFile(keyOf(path), partial))) return undefined;
    await rename(partial, local);
    return local;
  }

  async function manifestNow(): Promise<string | undefined> {
    const local = join(await folder(), `manifest.${randomBytes(4).toString("hex")}`);
    return (await objects.getFile(keyOf(MANIFEST_FILE), local)) ? readFile(local, "utf8") : undefined;
  }

  async function openForWriting(signal: AbortSignal): Promise<BackupWriter> {
    const stored = new Map((await objects.list(prefix)).map((object) => [object.key.slice(prefix.length), object]));
    const foreign = [...stored.keys()].find(
      (path) => path !== MANIFEST_FILE && !FOLDERS.some((own) => path.startsWith(`${own}/`)),
    );
    if (foreign !== undefined) {
      throw new OperatorError(
        `${nameOf()} holds other files (${foreign}); choose an empty prefix or the prefix of an earlier backup`,
      );
    }
    const before = await manifestNow();
    return {
      async put(name, suffix, pieces, through) {
        const local = join(await folder(), randomBytes(8).toString("hex"));
        const measure = measured();
        const file = createWriteStream(local, { mode: 0o600 });
        await (through
          ? pipeline(pieces, through, measure.through, file, { signal })
          : pipeline(pieces, measure.through, file, { signal }));
        const { bytes, sha256 } = measure.result();
        const path = `${name}-${sha256.slice(0, 16)}${suffix}`;
        if (bytes > OBJECT_BYTES_MAX)
          throw new OperatorError(`${nameOf(path)} would be larger than 5 GiB; back up to a folder`);
        await objects.putFile(keyOf(path), local, bytes, sha256);
        await rm(local);
        return { path, bytes, sha256 };
      },
      has: async ({ path, bytes }) => stored.get(path)?.bytes === bytes,
      async complete(manifest) {
        if ((await manifestNow()) !== before) {
          throw new OperatorError(`another backup was written to ${nameOf()} meanwhile; repeat this one`);
        }
        await objects.putText(keyOf(MANIFEST_FILE), manifestText(manifest));
        const needed = new Set([MANIFEST_FILE, ...filesOf(manifest).map(({ path }) => path)]);
        for (const [path, { storedAt }] of stored) {
          const isReplaced = before?.includes(`"${path}"`) || now() - storedAt > LEFT_OVER_AFTER_MS;
          if (!needed.has(path) && isReplaced) await objects.remove(keyOf(path));
        }
      },
      release: async () => undefined,
    };
  }

  return {
    nameOf,
    async read(path) {
      const local = await fetched(path);
      return local === undefined ? undefined : createReadStream(local);
    },
    openForWriting,
    async close() {
      await objects.close();
      if (room !== undefined) await rm(await room, { recursive: true, force: true });
    },
  };
}
