import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { OperatorError } from "../kit/operator-error.js";

export interface RecordedFile {
  readonly url: string;
  /** Path relative to the folder of the index. */
  readonly file: string;
  readonly status?: number;
  readonly contentType?: string;
}

export interface RecordedIndex {
  /** Capture time of the payloads, epoch ms. */
  readonly capturedAt?: number;
  readonly files: readonly RecordedFile[];
}

/**
 * Returns the start time of the simulator's clock, epoch ms: the capture time of the folder's payloads. Undefined if
 * the index does not state it.
 */
export async function recordedClockStart(recordedDir: string): Promise<number | undefined> {
  return (await readIndex(recordedDir)).capturedAt;
}

/** Reads the folder's `index.json`, either a list of files or `{ capturedAt, files }`; empty if there is none. */
export async function readIndex(folder: string): Promise<RecordedIndex> {
  const text = await readFile(join(folder, "index.json"), "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "[]";
    throw error;
  });
  try {
    return indexFrom(JSON.parse(text));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`${join(folder, "index.json")} cannot be used: ${reason}`, { cause: error });
  }
}

/**
 * True if a recording made at the address `recorded` answers a request for `requested`: both addresses have the same
 * host, path and parameters; the parameters may be in any order. A recording without parameters answers requests with
 * any parameters. The parameter `api_key` is ignored, because recordings contain no keys.
 */
export function sameRequest(recorded: URL, requested: URL): boolean {
  if (recorded.host !== requested.host || recorded.pathname !== requested.pathname) return false;
  return recorded.search === "" || comparableQuery(recorded) === comparableQuery(requested);
}

function comparableQuery(url: URL): string {
  const query = new URLSearchParams(url.search);
  query.delete("api_key");
  query.sort();
  return query.toString();
}

function indexFrom(value: unknown): RecordedIndex {
  if (Array.isArray(value)) return { files: sorted(value.map(fileFrom)) };
  const { capturedAt, files } = fieldsOf(value);
  const at = capturedAt === undefined ? undefined : Date.parse(String(capturedAt));
  if (Number.isNaN(at)) throw new Error(`"capturedAt" must be an ISO time, got ${JSON.stringify(capturedAt)}`);
  if (files !== undefined && !Array.isArray(files)) throw new Error('"files" must be a list');
  return { ...(at !== undefined && { capturedAt: at }), files: sorted((files ?? []).map(fileFrom)) };
}

/** Puts the files with a query first, so that a file without a query answers only the remaining requests. */
function sorted(files: readonly RecordedFile[]): readonly RecordedFile[] {
  return files.toSorted((a, b) => Number(b.url.includes("?")) - Number(a.url.includes("?")));
}

function fileFrom(value: unknown): RecordedFile {
  const { url, file, status, contentType } = fieldsOf(value);
  if (typeof url !== "string" || !URL.canParse(url)) throw new Error(`"url" must be an address, got ${String(url)}`);
  if (typeof file !== "string") throw new Error(`"file" must be a path, for ${url}`);
  if (status !== undefined && !isStatus(status)) throw new Error(`"status" must be 200–599, for ${url}`);
  if (contentType !== undefined && typeof contentType !== "string")
    throw new Error(`"contentType" must be text, for ${url}`);
  return { url, file, ...(status !== undefined && { status }), ...(contentType !== undefined && { contentType }) };
}

function isStatus(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 200 && value <= 599;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) throw new Error(`expected an object, got ${JSON.stringify(value)}`);
  return value as Readonly<Record<string, unknown>>; // The cast is safe: an object's fields may be read by name.
}
