import { decodedInstant } from "../../contract/as-of.js";
import { failure, type Violation } from "../../contract/failures.js";
import type { AnyDataset } from "../../contract/product.js";
import type { Decoded } from "../../contract/query-field.js";
import { type Clock, DAY_MS } from "../../kit/clock.js";
import type { TokenSigner } from "../../kit/signed-token.js";
import { identitiesOf } from "../../snapshots/changes/row-changes.js";
import type {
  DatasetHistory,
  FailedRunEntry,
  GenerationEntry,
  HistoryEntry,
  HistoryRange,
  Place,
} from "../../snapshots/history/dataset-history.js";
import type { SnapshotRegistry } from "../../snapshots/registry.js";
import { type Answer, type Exchange, jsonAnswer } from "../exchange.js";
import { httpDateText } from "../http-date.js";
import type { DatasetHistoryPage, HistoryEntry as ShownEntry } from "./answers/dataset-history.js";
import { forCaller } from "./operator-only.js";

export const HISTORY_PATH = "/api/datasets/history";

export interface DatasetHistoryParts {
  readonly history: DatasetHistory;
  readonly registry: SnapshotRegistry;
  readonly clock: Clock;
  /** Signs cursors. */
  readonly signer: TokenSigner;
}

const DAYS_MAX = 400;
const DAYS_DEFAULT = 30;
const PAGE_SIZE = { min: 1, max: 50, default: 20 };
/** Maximum number of upstream answers on a page. Each entry shows at most this number divided by the page size. */
const ANSWERS_PER_PAGE = 2_000;
const LINK_FORMAT = "application/link-format";
const CURSOR = "dhs1";

/** The documentation of the parameters of `HISTORY_PATH`. */
export const historyParameters = [
  { name: "name", description: "Name of the dataset", schema: { type: "string" }, required: true },
  {
    name: "from",
    description: `Start of the range: ISO 8601 with an offset, or epoch milliseconds; at most ${DAYS_MAX} days before \`to\`. Default: ${DAYS_DEFAULT} days before \`to\`, or ${DAYS_MAX} for a TimeMap`,
    schema: { type: "string" },
  },
  { name: "to", description: "End of the range, included. Default: now", schema: { type: "string" } },
  {
    name: "page_size",
    description: "Number of entries",
    schema: { type: "integer", minimum: PAGE_SIZE.min, maximum: PAGE_SIZE.max, default: PAGE_SIZE.default },
  },
  {
    name: "cursor",
    description: "`pagination.nextCursor` of the previous page; omit it to start with the newest entry",
    schema: { type: "string" },
  },
] as const;

/** A parsed request for the history of a dataset. */
interface HistoryQuestion {
  readonly dataset: AnyDataset;
  readonly range: HistoryRange;
  readonly pageSize: number;
  /** The last entry of the previous page. */
  readonly after: Place | undefined;
  /** Identifies the list of entries by the dataset and the requested range. A cursor is valid only for its own list. */
  readonly list: string;
}

/** The history of a dataset, as JSON or as a TimeMap (RFC 7089). `labelled` adds the label of a demo. */
export async function historyAnswer(
  parts: DatasetHistoryParts,
  exchange: Exchange,
  labelled: (body: object) => object,
): Promise<Answer> {
  const isTimeMap = exchange.call.header("accept")?.includes(LINK_FORMAT) ?? false;
  const question = questionOf(parts, exchange.search, isTimeMap);
  if (isTimeMap) return timeMap(parts, question);
  const body = await historyBody(parts, question);
  return jsonAnswer(200, labelled(forCaller(body, exchange)), { Vary: "Accept" });
}

/**
 * Parses the query. Throws the 400 that names every invalid parameter, or the 404 for a dataset that does not exist.
 */
function questionOf({ registry, clock, signer }: DatasetHistoryParts, search: string, isTimeMap: boolean) {
  const parameters = new URLSearchParams(search);
  const violations: Violation[] = [];
  function decoded<T>(name: string, decode: (text: string) => Decoded<T>): T | undefined {
    const texts = parameters.getAll(name).filter((text) => text !== "");
    const [text] = texts;
    if (text === undefined) return undefined;
    const result = texts.length > 1 ? { violation: `must be given once, got ${texts.length} values` } : decode(text);
    if ("value" in result) return result.value;
    violations.push({ field: name === "page_size" ? "pageSize" : name, description: result.violation });
    return undefined;
  }
  const name = decoded("name", (text) => ({ value: text }));
  const from = decoded("from", decodedInstant);
  const to = decoded("to", decodedInstant);
  const pageSize = decoded("page_size", decodedPageSize) ?? PAGE_SIZE.default;
  const list = listOf(name, from, to);
  const after = decoded("cursor", (text) => decodedCursor(signer, text, list));
  const range = rangeOf(from, to, clock.now(), isTimeMap ? DAYS_MAX : DAYS_DEFAULT);
  if (name === undefined && violations.every(({ field }) => field !== "name")) {
    violations.push({ field: "name", description: "is required: the name of a dataset, as in /api/datasets" });
  }
  if (range.to - range.from > DAYS_MAX * DAY_MS) {
    violations.push({ field: "from", description: `must be at most ${DAYS_MAX} days before \`to\`` });
  }
  if (range.from > range.to) violations.push({ field: "from", description: "must not be after `to`" });
  if (violations.length > 0) throw failure("validation", { violations });
  const dataset = registry.allDatasets.find((candidate) => candidate.name === name);
  if (!dataset) throw failure("itemNotFound", { what: "dataset" });
  return { dataset, range, pageSize, after, list };
}

function listOf(name = "", from: number | "" = "", to: number | "" = ""): string {
  return `${name} ${from} ${to}`;
}

function decodedPageSize(text: string): Decoded<number> {
  const { min, max } = PAGE_SIZE;
  const value = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? { value } : { violation: `must be a whole number from ${min} to ${max}` };
}

function decodedCursor(signer: TokenSigner, text: string, list: string): Decoded<Place> {
  const payload = signer.open(CURSOR, text, list);
  if (payload === undefined) {
    return { violation: "is not a cursor of this dataset and range; omit it to start again" };
  }
  // The cast is safe, because every value signed here is a `Place`.
  return { value: JSON.parse(payload) as Place };
}

function rangeOf(from: number | undefined, to: number | undefined, now: number, days: number): HistoryRange {
  const end = to ?? Math.max(now, from ?? 0);
  return { from: from ?? Math.max(0, end - days * DAY_MS), to: end };
}

/**
 * The cursor of the next page; empty if there are no further entries. The next page begins after the first `pageSize`
 * entries.
 */
function nextCursor(
  { signer }: DatasetHistoryParts,
  { pageSize, list }: Pick<HistoryQuestion, "pageSize" | "list">,
  places: readonly Place[],
): string {
  const last = places[pageSize - 1];
  return places.length > pageSize && last ? signer.sign(CURSOR, JSON.stringify(last), list) : "";
}

async function historyBody(parts: DatasetHistoryParts, question: HistoryQuestion): Promise<DatasetHistoryPage> {
  const { history } = parts;
  const { dataset, range, pageSize, after } = question;
  const listed = await history.entries(dataset.name, { range, after, max: pageSize + 1 });
  const answersMax = Math.floor(ANSWERS_PER_PAGE / pageSize);
  return {
    name: dataset.name,
    from: range.from,
    to: range.to,
    identity: identitiesOf(dataset),
    ...(after === undefined && { availability: await availabilityOf(parts, question) }),
    entries: listed.slice(0, pageSize).map((entry) => shown(entry, answersMax)),
    pagination: { nextCursor: nextCursor(parts, question, placesOf(listed)) },
  };
}

function placesOf(entries: readonly HistoryEntry[]): readonly Place[] {
  return entries.map(({ place }) => place);
}

/** The availability on each UTC day that the range touches, until now. */
async function availabilityOf(
  { history, clock }: DatasetHistoryParts,
  { dataset, range }: HistoryQuestion,
): Promise<NonNullable<DatasetHistoryPage["availability"]>> {
  const from = Math.floor(range.from / DAY_MS) * DAY_MS;
  const to = Math.min(clock.now(), (Math.floor(range.to / DAY_MS) + 1) * DAY_MS);
  const days = await history.availability(dataset.name, { from, to }, dataset.staleAfterMs);
  return { staleAfterSeconds: dataset.staleAfterMs / 1_000, days };
}

function shown(entry: HistoryEntry, answersMax: number): ShownEntry {
  return entry.kind === "generation" ? shownGeneration(entry, answersMax) : shownRun(entry);
}

function shownGeneration({ kind, generation: own, changes }: GenerationEntry, answersMax: number): ShownEntry {
  const { generation, contentHash, bodyBytes, builtAt, newestAt, recordCounts, ingredients } = own;
  const answers = Object.entries(own.provenance).flatMap(([part, requests]) =>
    Object.entries(requests).map(([request, origin]) => ({ part, request, ...origin })),
  );
  return {
    kind,
    at: builtAt,
    generation,
    builtAt,
    newestAt,
    contentHash,
    bodyBytes,
    records: recordCounts,
    changes: changes ?? null,
    ...(ingredients ? { ingredients } : { provenanceCount: answers.length, provenance: answers.slice(0, answersMax) }),
  };
}

function shownRun({ kind, place: [at], run, outcome, error, generation }: FailedRunEntry): ShownEntry {
  return { kind, at, run, outcome, error: error ?? null, generation: generation === 0 ? null : generation };
}

/** The generations of a dataset as a TimeMap. Each memento links to a generation's entry in the history. */
async function timeMap(parts: DatasetHistoryParts, question: HistoryQuestion): Promise<Answer> {
  const { dataset, range, pageSize, after } = question;
  const places = await parts.history.generations(dataset.name, { range, after, max: pageSize + 1 });
  const name = encodeURIComponent(dataset.name);
  const self = `${HISTORY_PATH}?name=${name}`;
  const shown = places.slice(0, pageSize);
  // The link to the next page repeats the range explicitly, because a default range would move with the clock.
  const next = nextCursor(parts, { pageSize, list: listOf(dataset.name, range.from, range.to) }, places);
  const [newest, oldest] = [shown.at(0)?.[0], shown.at(-1)?.[0]];
  const span = oldest === undefined || newest === undefined ? "" : `; ${spanText(oldest, newest)}`;
  const ends = `&from=${range.from}&to=${range.to}`;
  const size = pageSize === PAGE_SIZE.default ? "" : `&page_size=${pageSize}`;
  const links = [
    `</api/datasets?name=${name}>; rel="original"`,
    `<${self}${ends}>; rel="self"; type="${LINK_FORMAT}"${span}`,
    ...shown.map(([at]) => `<${self}&from=${at}&to=${at}>; rel="memento"; datetime="${httpDateText(at)}"`),
    ...(next === "" ? [] : [`<${self}${ends}${size}&cursor=${next}>; rel="timemap"; type="${LINK_FORMAT}"`]),
  ];
  return {
    status: 200,
    headers: { "Content-Type": LINK_FORMAT, "Cache-Control": "no-store", Vary: "Accept" },
    body: `${links.join(",\n")}\n`,
  };
}

function spanText(from: number, until: number): string {
  return `from="${httpDateText(from)}"; until="${httpDateText(until)}"`;
}
