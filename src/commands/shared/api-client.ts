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
  // The service's own version of this answer; a foreign one fails at the first missing member.
  return ((await fetchJson(service, "/api/datasets")) as { readonly datasets: readonly Card[] }).datasets;
}

/** Fetches the JSON at a path of a running service. Throws a sentence with a remedy. */
export async function fetchJson({ url, key }: ApiAddress, path: string): Promise<unknown> {
  if (!URL.canParse(url))
    throw new OperatorError(`VIGIL_URL must be an address like http://127.0.0.1:8787, got "${url}"`);
  const target = new URL(path, url);
  const answer = await fetch(target, { headers: { "X-Service-Key": key } }).catch((error: unknown) => {
    throw new OperatorError(`no service answers at ${target.origin}; start one, or set VIGIL_URL`, { cause: error });
  });
  if (answer.status === 401) {
    throw new OperatorError(
      key === ""
        ? `${target.origin} needs a key; set VIGIL_KEY to one of its keys`
        : `${target.origin} refuses the key; set VIGIL_KEY to one of its keys`,
    );
  }
  if (answer.status === 400)
    throw new OperatorError(`${target.href} answered 400: ${(await answer.text()).slice(0, REASON_MAX)}`);
  if (!answer.ok) throw new OperatorError(`${target.href} answered ${answer.status}`);
  return answer.json().catch((error: unknown) => {
    throw new OperatorError(`${target.href} did not answer with JSON; is VIGIL_URL the address of a Vigil service?`, {
      cause: error,
    });
  });
}

export function rowOf(card: Card): DatasetRow {
  return { ...card, records: card.parts.reduce((sum, part) => sum + part.records, 0) };
}
