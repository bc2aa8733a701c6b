/**
 * The address of a file that is installed with the service, by its path from `src/`. The path is the same from the
 * compiled modules and from the bundle, because each of them has this module one folder deep.
 */
export function ownFile(path: string): URL {
  return new URL(`../${path}`, import.meta.url);
}
