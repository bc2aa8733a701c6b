/**
 * The address of a file that is installed with the service, by its path from `src/`. The path is the same in the
 * compiled modules and in the bundle, because this module is one folder deep in both cases.
 */
export function ownFile(path: string): URL {
  return new URL(`../${path}`, import.meta.url);
}
