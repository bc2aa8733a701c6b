import type { RegisteredStore } from "../database/service-store.js";
import { OperatorError } from "../kit/operator-error.js";
import type { BackupPlace } from "./backup-place.js";
import { checkFiles } from "./check-files.js";
import { type FillOptions, fillStore } from "./fill-store.js";
import { MANIFEST_FILE, type Manifest } from "./manifest.js";
import { readManifest } from "./read-manifest.js";
import { refuseNewer } from "./restore-target.js";
import { contentOfBackup } from "./store-content.js";

export interface CheckOptions extends Pick<FillOptions, "onProgress" | "signal"> {
  readonly place: BackupPlace;
  readonly stores: readonly RegisteredStore[];
}

/** Reads the manifest and every file of a backup. Throws an `OperatorError` that names a missing or damaged file. */
export async function checkedBackup({ place, stores, onProgress, signal }: CheckOptions): Promise<Manifest> {
  const manifest = await readManifest(place);
  if (manifest === undefined) {
    throw new OperatorError(`${place.nameOf()} holds no complete backup: there is no ${place.nameOf(MANIFEST_FILE)}`);
  }
  await refuseNewer(place.nameOf(MANIFEST_FILE), manifest, stores);
  await checkFiles(place, manifest, (done, of) => onProgress("files checked", done, of), signal);
  return manifest;
}

/** Restores a checked backup into an empty data folder or database. */
export function restoreBackup(
  manifest: Manifest,
  options: FillOptions & { readonly place: BackupPlace },
): Promise<void> {
  return fillStore(contentOfBackup(options.place, manifest), options);
}
