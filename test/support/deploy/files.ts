import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

export const repository = resolve(import.meta.dirname, "../../..");

/** The path of a file in deploy/. */
export function inDeploy(name: string): string {
  return resolve(repository, "deploy", name);
}

/** The text of a file in deploy/. */
export function deployed(name: string): string {
  return readFileSync(inDeploy(name), "utf8");
}

/** The names of all files in deploy/. */
export function deployedNames(): readonly string[] {
  return readdirSync(inDeploy(""), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => resolve(entry.parentPath, entry.name).slice(inDeploy("").length + 1))
    .toSorted();
}
