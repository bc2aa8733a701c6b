import type { DatasetRow } from "./dataset-table.js";

/** The address and key of a running service. */
export interface ApiAddress {
  readonly url: string;
  readonly key: string;
}

interface Card extends Omit<DatasetRow, "records"> {
  readonly parts: readonly { readonly records: number }[];
}

/** The dataset cards of a running service; throws with a sentence that says what to do. */
export async function fetchCards({ url, key }: ApiAddress): Promise<readonly Card[]> {
  const target = new URL("/api/datasets", url);
  const answer = await fetch(target, { headers: { "X-Service-Key": key } }).catch((error: unknown) => {
    throw new Error(`no service answers at ${target.origin}; start one, or set VIGIL_URL`, { cause: error });
  });
  if (answer.status === 401) throw new Error(`${target.origin} refuses the key; set VIGIL_KEY to one of its keys`);
  if (!answer.ok) throw new Error(`${target.href} answered ${answer.status}`);
  // The service's own version of this answer; a foreign one fails at the first missing member.
  return ((await answer.json()) as { readonly datasets: readonly Card[] }).datasets;
}

export function rowOf(card: Card): DatasetRow {
  return { ...card, records: card.parts.reduce((sum, part) => sum + part.records, 0) };
}
