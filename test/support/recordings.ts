import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

const folder = resolve(import.meta.dirname, "../../../shared/upstream");

/** True without the real payloads. They lie next to the checkout, because their licences forbid copying them here. */
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
