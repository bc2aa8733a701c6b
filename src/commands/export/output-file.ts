import { createHash, randomBytes } from "node:crypto";
import { open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Writable } from "node:stream";
import { OperatorError } from "../../kit/operator-error.js";
import type { ExportProvenance } from "./provenance.js";

/** The output of an export. */
export interface Output {
  write(bytes: string | Uint8Array): Promise<void>;
}

/** A written file. */
interface WrittenFile {
  readonly bytes: number;
  readonly sha256: string;
}

/** A file that appears complete or not at all. */
interface OutputFile extends Output {
  /** Flushes the written bytes to disk and closes the file. */
  close(): Promise<WrittenFile>;
  /** Renames the file to its final name, and replaces an earlier file of that name. */
  publish(): Promise<void>;
  /** Removes the written file, unless it has its final name. */
  discard(): Promise<void>;
}

async function outputFile(path: string): Promise<OutputFile> {
  await refuseFolder(path);
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(4).toString("hex")}.new`);
  const file = await open(temporary, "wx").catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(`${path} cannot be written (${error.code}); choose another --output`, { cause: error });
  });
  const hash = createHash("sha256");
  let bytes = 0;
  let isOpen = true;
  async function close(): Promise<void> {
    if (isOpen) await file.close();
    isOpen = false;
  }
  return {
    async write(text) {
      const chunk = typeof text === "string" ? Buffer.from(text) : text;
      hash.update(chunk);
      bytes += chunk.byteLength;
      await file.writeFile(chunk);
    },
    async close() {
      await file.sync();
      await close();
      return { bytes, sha256: hash.digest("hex") };
    },
    publish: () => rename(temporary, path),
    async discard() {
      await close();
      await rm(temporary, { force: true });
    },
  };
}

/** Throws if the path names a folder, because the finished file could not be renamed to it. */
async function refuseFolder(path: string): Promise<void> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isFolder || /[/\\]$/.test(path)) {
    throw new OperatorError(`${path} is a folder; name a file in it with --output`);
  }
}

/** Thrown when the reader of a stream, such as `head`, has closed it. */
export class ReaderGone extends Error {
  override readonly name = "ReaderGone";
}

/**
 * Writes to a stream at its reader's pace, and leaves it open. Throws `ReaderGone` if the reader has closed the stream,
 * and the signal's reason if the signal aborts while the reader pauses.
 */
export function streamOutput(stream: Writable, signal: AbortSignal): Output {
  return {
    write: (bytes) =>
      new Promise((resolve, reject) => {
        const onAbort = (): void => reject(signal.reason as Error);
        const onError = (error: NodeJS.ErrnoException): void =>
          reject(error.code === "EPIPE" ? new ReaderGone("the reader has closed the stream", { cause: error }) : error);
        signal.addEventListener("abort", onAbort, { once: true });
        stream.once("error", onError);
        stream.write(bytes, (error) => {
          signal.removeEventListener("abort", onAbort);
          if (error) return onError(error);
          stream.off("error", onError);
          resolve();
        });
      }),
  };
}

/** Writes the rows to the file `path`. Then writes their provenance and the hash of the file to `<path>.json`. */
export async function writeWithProvenance(
  path: string,
  provenance: ExportProvenance,
  write: (output: Output) => Promise<void>,
): Promise<void> {
  const file = await outputFile(path);
  try {
    await write(file);
    const written = await file.close();
    const sidecar = await outputFile(`${path}.json`);
    try {
      await sidecar.write(`${JSON.stringify({ file: written, ...provenance }, null, 2)}\n`);
      await sidecar.close();
      await file.publish();
      await sidecar.publish();
    } finally {
      await sidecar.discard();
    }
  } finally {
    await file.discard();
  }
}
