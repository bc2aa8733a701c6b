import { readFile, realpath } from "node:fs/promises";
import { extname, resolve, sep } from "node:path";
import { type RecordedIndex, readIndex, sameRequest } from "./recorded-index.js";
import type { SimulatedAnswer } from "./upstream.js";

export interface RecordedFolder {
  /** The recording for this address; undefined if there is none. */
  answer(url: URL): Promise<SimulatedAnswer | undefined>;
}

/**
 * Opens a folder of recorded payloads. An address is looked up in `index.json`, then as `<host>/<path>@<query>`, then
 * as `<host>/<path>`. Nothing outside the folder is ever read, whether through `..` or through a link.
 */
export async function openRecordedFolder(folder: string): Promise<RecordedFolder> {
  const root = await realpath(folder);
  const index = await readIndex(root);
  return {
    async answer(url) {
      for (const { file, status, contentType } of candidatesFor(url, index)) {
        const body = await readInside(root, file);
        if (body === undefined) continue;
        return { status: status ?? 200, contentType: contentType ?? guessContentType(file, body), body, etag: true };
      }
      return undefined;
    },
  };
}

interface Candidate {
  readonly file: string;
  readonly status?: number;
  readonly contentType?: string;
}

function candidatesFor(url: URL, index: RecordedIndex): readonly Candidate[] {
  const listed = index.files.filter((entry) => sameRequest(new URL(entry.url), url));
  const path = decodedPath(url);
  if (path === undefined) return listed;
  const query = url.search.slice(1).replaceAll("/", "%2F");
  return [...listed, ...(query === "" ? [] : [{ file: `${path}@${query}` }]), { file: path }];
}

/**
 * Returns `<host>/<path>` with percent-encoding decoded; undefined if decoding is impossible, or would add a separator,
 * a NUL or a `..` segment.
 */
function decodedPath(url: URL): string | undefined {
  try {
    const segments = url.pathname.split("/").map(decodeURIComponent);
    if (segments.some((segment) => segment === ".." || /[/\\\0]/.test(segment))) return undefined;
    return url.host + segments.join("/");
  } catch {
    return undefined;
  }
}

async function readInside(root: string, file: string): Promise<Buffer | undefined> {
  try {
    const path = await realpath(resolve(root, file));
    return path.startsWith(root + sep) ? await readFile(path) : undefined;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

/**
 * True if the error means that there is no such file. A folder at the path and a name that is too long also mean that
 * there is no such file.
 */
function isAbsent(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ENOENT" || code === "ENOTDIR" || code === "EISDIR" || code === "ENAMETOOLONG";
}

const TYPES_BY_EXTENSION: Readonly<Record<string, string>> = {
  ".csv": "text/csv",
  ".html": "text/html",
  ".json": "application/json",
  ".txt": "text/plain",
  ".xml": "application/xml",
  ".zip": "application/zip",
};

function guessContentType(file: string, body: Buffer): string {
  const byName = TYPES_BY_EXTENSION[extname(file.split("@")[0] ?? "").toLowerCase()];
  if (byName !== undefined) return byName;
  const start = body.subarray(0, 64).toString("latin1").trimStart().toLowerCase();
  if (start.startsWith("<!doctype html") || start.startsWith("<html")) return "text/html";
  if (start.startsWith("<")) return "application/xml";
  return /^[[{]/.test(start) ? "application/json" : "application/octet-stream";
}
