import { OperatorError } from "../../kit/operator-error.js";
import type { DatasetRow } from "./dataset-table.js";

/** The address and key of a running service. */
export interface ApiAddress {
  readonly url: string;
  readonly key: string;
}

interface Card extends Omit<DatasetRow, "records"> {
  readonly parts: readonly { readonly records: number }[];
}

const REASON_MAX = 500;

/** Fetches the dataset cards of a running service. Throws a sentence with a remedy. */
export async function fetchCards(service: ApiAddress): Promise<readonly Card[]> {
  // The type is that of this version's answer; the answer of another service fails at the first missing member.
  return ((await fetchJson(service, "/api/datasets")) as { readonly datasets: readonly Card[] }).datasets;
}

/** Fetches the JSON at a path of a running service. Throws a sentence with a remedy. */
export async function fetchJson(service: ApiAddress, path: string): Promise<unknown> {
  const { status, body, text, href } = await answerOf(service, path);
  if (status === 400) throw new OperatorError(`${href} answered 400: ${text.slice(0, REASON_MAX)}`);
  if (status < 200 || status >= 300) throw new OperatorError(`${href} answered ${status}`);
  return body();
}

/** Sends a GET, or a POST of `body`, and returns the status and the JSON of the answer. Throws a sentence with a remedy. */
export async function sendJson(service: ApiAddress, path: string, body?: unknown) {
  const answer = await answerOf(service, path, body);
  return { status: answer.status, body: answer.body() };
}

/** The address of a path of the service. Throws a sentence with a remedy. */
export function serviceUrl({ url }: ApiAddress, path: string): URL {
  if (URL.canParse(url)) return new URL(path, url);
  throw new OperatorError(`VIGIL_URL must be an address like http://127.0.0.1:8787, got "${url}"`);
}

/** The sentence for a service that refuses the key, or the missing one. */
export function keyRefused(origin: string, key: string): OperatorError {
  return new OperatorError(`${origin} ${key === "" ? "needs a" : "refuses the"} key; set VIGIL_KEY to one of its keys`);
}

async function answerOf({ url, key }: ApiAddress, path: string, body?: unknown) {
  const target = serviceUrl({ url, key }, path);
  const post = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const headers = { "X-Service-Key": key, ...(body !== undefined && { "Content-Type": "application/json" }) };
  const answer = await fetch(target, { ...post, headers }).catch((error: unknown) => {
    throw new OperatorError(`no service answers at ${target.origin}; start one, or set VIGIL_URL`, { cause: error });
  });
  if (answer.status === 401) throw keyRefused(target.origin, key);
  const text = await answer.text();
  const { href } = target;
  return { status: answer.status, text, href, body: (): unknown => jsonOf(text, href) };
}

function jsonOf(text: string, href: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new OperatorError(`${href} did not answer with JSON; is VIGIL_URL the address of a Vigil service?`, {
      cause: error,
    });
  }
}

export function rowOf(card: Card): DatasetRow {
  return { ...card, records: card.parts.reduce((sum, part) => sum + part.records, 0) };
}
