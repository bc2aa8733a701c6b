import { Value } from "typebox/value";
import { OperatorError } from "../kit/operator-error.js";
import { type BackupPlace, wholeFile } from "./backup-place.js";
import { damaged, FORMAT, MANIFEST_FILE, Manifest, manifestText } from "./manifest.js";

/**
 * Reads the manifest in a backup place; undefined if there is none. Throws an `OperatorError` if the manifest is
 * damaged or has another format.
 */
export async function readManifest(place: BackupPlace): Promise<Manifest | undefined> {
  const path = place.nameOf(MANIFEST_FILE);
  const text = (await wholeFile(place, MANIFEST_FILE))?.toString();
  if (text === undefined) return undefined;
  const { sha256: _, ...manifest } = parsed(text, path);
  const { format } = manifest;
  if (typeof format === "number" && format > FORMAT) {
    throw new OperatorError(
      `${path} has format ${format}, but this version reads ${FORMAT}; use the version that took the backup`,
    );
  }
  if (!Value.Check(Manifest, manifest) || manifestText(manifest) !== text) throw damaged(path);
  return manifest;
}

function parsed(text: string, path: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value as Readonly<Record<string, unknown>>;
  } catch (error) {
    throw damaged(path, error);
  }
  throw damaged(path);
}
