import { cutText } from "../../kit/cut-text.js";
import { oneLine } from "../../kit/one-line.js";
import { OperatorError } from "../../kit/operator-error.js";
import { isCertificateFailure } from "../../sdk/connection-failure.js";
import {
  type Answer,
  ApiError,
  ConnectionError,
  createVigil,
  UnauthorizedError,
  type Vigil,
  VigilError,
  type VigilOptions,
} from "../../sdk/index.js";
import type { DatasetRow } from "./dataset-table.js";

/** The address and key of a running service. */
export interface ApiAddress {
  readonly url: string;
  readonly key: string;
}

interface Card extends Omit<DatasetRow, "records"> {
  readonly parts: readonly { readonly records: number }[];
}

const SENTENCE_CHARACTERS_MAX = 600;

/**
 * Calls `work` with a client of a running service. The client does not retry calls unless the options say so. If a call
 * fails, throws an `OperatorError` that explains the failure.
 */
export async function withService<T>(
  service: ApiAddress,
  work: (vigil: Vigil) => Promise<T>,
  options: Partial<VigilOptions> = {},
): Promise<T> {
  const url = originOf(service);
  try {
    return await work(createVigil({ url, key: service.key, retriesMax: 0, cache: false, ...options }));
  } catch (error) {
    throw operatorError(error, service);
  }
}

/** Parses the address of the service. Throws an `OperatorError` for an invalid address. */
export function originOf({ url }: ApiAddress): URL {
  if (/^https?:/i.test(url) && URL.canParse(url)) return new URL(url);
  throw new OperatorError(`VIGIL_URL must be an address like http://127.0.0.1:8787, got "${url}"`);
}

/** Converts an error of the client to a sentence for the operator. Returns any other error unchanged. */
function operatorError(error: unknown, service: ApiAddress): unknown {
  if (!(error instanceof VigilError)) return error;
  const { origin } = originOf(service);
  if (error instanceof UnauthorizedError) return keyRefused(origin, service.key, error);
  return error instanceof ConnectionError ? unreachable(error) : new OperatorError(sentenceOf(error), { cause: error });
}

/** Adds the remedy to the error of a service that could not be reached. */
export function unreachable(error: ConnectionError): OperatorError {
  const remedy = isCertificateFailure(error)
    ? "set NODE_EXTRA_CA_CERTS to a PEM file of the authority that signed it, or correct VIGIL_URL"
    : "start one, or set VIGIL_URL";
  return new OperatorError(`${sentenceOf(error)}; ${remedy}`, { cause: error });
}

function keyRefused(origin: string, key: string, cause: unknown): OperatorError {
  const sentence = `${origin} ${key === "" ? "needs a" : "refuses the"} key; set VIGIL_KEY to one of its keys`;
  return new OperatorError(sentence, { cause });
}

/** Formats a failure as a readable message on one line. */
export function sentenceOf(error: VigilError): string {
  if (!(error instanceof ApiError)) return oneLine(error.message);
  const { url, status, reasons } = error;
  const reason = reasons.length === 0 ? "" : `: ${reasons.join("; ")}`;
  return cutText(oneLine(`${url} answered ${status}${reason}`), SENTENCE_CHARACTERS_MAX);
}

/** Fetches the dataset cards of a running service. Throws an `OperatorError` if the call fails. */
export async function fetchCards(service: ApiAddress): Promise<readonly Card[]> {
  // The cast assumes that the service runs the same version as this command. If the answer of another version lacks a
  // member, the first use of that member fails.
  return ((await fetchJson(service, "/api/datasets")) as { readonly datasets: readonly Card[] }).datasets;
}

/** Fetches the JSON at a path of a running service. Throws an `OperatorError` if the call fails. */
export async function fetchJson(service: ApiAddress, path: string): Promise<unknown> {
  return (await withService(service, (vigil) => vigil.get(path))).data;
}

/**
 * Sends a GET, or a POST of `body`, and returns the status and the JSON of the answer, even if it is an error. Throws
 * an `OperatorError` with a remedy if no service answers or the key is refused.
 */
export async function sendJson(service: ApiAddress, path: string, body?: unknown) {
  const { status, data } = await withService(
    service,
    async (vigil): Promise<Pick<Answer<unknown>, "status" | "data">> => {
      try {
        return await (body === undefined ? vigil.get(path) : vigil.post(path, body));
      } catch (error) {
        if (!(error instanceof ApiError) || error instanceof UnauthorizedError) throw error;
        return { status: error.status, data: error.body };
      }
    },
  );
  return { status, body: data };
}

export function rowOf(card: Card): DatasetRow {
  return { ...card, records: card.parts.reduce((sum, part) => sum + part.records, 0) };
}
