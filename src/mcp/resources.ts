import type { Caller } from "./caller.js";
import type { Catalogue } from "./catalogue.js";
import { type Members, RpcError } from "./json-rpc.js";

const CARD = "vigil://datasets/";
const PAGE_SIZE = 50;
/**
 * Maximum size of a complete card. In a larger card, the provenance of each part is cut to its first few upstream
 * answers.
 */
const CARD_BYTES_MAX = 50_000;
const PROVENANCE_SHOWN = 3;
const MIME = "application/json";

export const resourceTemplates = [
  {
    uriTemplate: `${CARD}{name}`,
    name: "dataset",
    title: "Card of a dataset",
    description: "The dataset's sources with their licences, and its cadence, gate, gaps, state and provenance",
    mimeType: MIME,
  },
];

/** Lists one page of the dataset cards. */
export function listResources({ datasets }: Catalogue, { cursor = "0" }: Members): object {
  const from = typeof cursor === "string" && /^\d{1,6}$/.test(cursor) ? Number(cursor) : Number.NaN;
  if (Number.isNaN(from)) throw new RpcError("invalidParams", "cursor must be nextCursor of the previous page");
  const resources = datasets
    .slice(from, from + PAGE_SIZE)
    .map(({ name, title }) => ({ uri: `${CARD}${encodeURIComponent(name)}`, name, title, mimeType: MIME }));
  const next = from + PAGE_SIZE;
  return { resources, ...(next < datasets.length && { nextCursor: String(next) }) };
}

/** Reads the card of a dataset by a call with the caller's key. */
export async function readResource(call: Caller, { datasets }: Catalogue, { uri }: Members): Promise<object> {
  const dataset = datasets.find(({ name }) => uri === `${CARD}${encodeURIComponent(name)}`);
  if (!dataset) throw new RpcError("resourceNotFound", `no resource ${String(uri).slice(0, 200)}; see resources/list`);
  const target = `/api/datasets?${new URLSearchParams({ name: dataset.name })}`;
  const answer = await call({ method: "GET", target });
  if (answer.status >= 400) {
    throw new RpcError("internal", `the card was refused with status ${answer.status}`, 200, JSON.parse(answer.text));
  }
  return { contents: [{ uri, mimeType: MIME, text: shortened(answer.text) }] };
}

function shortened(text: string): string {
  if (Buffer.byteLength(text) <= CARD_BYTES_MAX) return text;
  return JSON.stringify(
    JSON.parse(text, (name, value: unknown) =>
      name === "provenance" && Array.isArray(value) ? value.slice(0, PROVENANCE_SHOWN) : value,
    ),
  );
}
