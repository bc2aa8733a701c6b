import { createHash } from "node:crypto";
import { OperatorError } from "../kit/operator-error.js";
import type { BackupPlace } from "./backup-place.js";
import { damaged, filesOf, type Manifest } from "./manifest.js";

/** Reads every file of a backup. Throws an `OperatorError` that names the first missing or damaged file. */
export async function checkFiles(
  place: BackupPlace,
  manifest: Manifest,
  onFile: (checked: number, of: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const files = filesOf(manifest);
  for (const [index, { path, bytes, sha256 }] of files.entries()) {
    signal.throwIfAborted();
    const file = place.nameOf(path);
    const hash = createHash("sha256");
    let read = 0;
    try {
      const stream = await place.read(path);
      if (stream === undefined) throw new OperatorError(`${file} is missing; use another copy of the backup`);
      for await (const piece of stream) {
        hash.update(piece as Buffer);
        read += (piece as Buffer).byteLength;
      }
    } catch (error) {
      if (error instanceof OperatorError) throw error;
      const { code } = error as NodeJS.ErrnoException;
      throw new OperatorError(`${file} cannot be read (${code}); use another copy of the backup`, { cause: error });
    }
    if (read !== bytes || hash.digest("hex") !== sha256) throw damaged(file);
    onFile(index + 1, files.length);
  }
}
