import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

const folder = resolve(import.meta.dirname, "../../../shared/upstream");

/**
 * True if the recorded payloads are absent. Their folder lies next to the checkout, because their licences forbid
 * copying them into the repository.
 */
export const recordingsAbsent = !existsSync(folder);
export const recordedTitle = recordingsAbsent
  ? "recorded payloads (skipped: ../shared/upstream is not here)"
  : "recorded payloads";

export function recordedBytes(file: string): Buffer {
  return readFileSync(resolve(folder, file));
}

export function recorded(file: string): string {
  return recordedBytes(file).toString("utf8");
}
