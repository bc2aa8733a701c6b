import { Type } from "typebox";
import { dataset, part, type RecordsOf } from "../../../contract/dataset.js";
import { isMaterialItem, itemName } from "../../../edgar/filing-items.js";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../kit/clock.js";
import { visitSteps } from "../../../kit/list-steps.js";
import type { ClockPace, Steps } from "../../../kit/loop-turns.js";
import type { FilingEvent, StoredFiling } from "../filing-records.js";
import { contentAges } from "../rules/content-ages.js";
import { byAccession, filersOf } from "../rules/joint-filings.js";
import { type FilingsPlan, type ReadSpan, secCurrentFilings } from "../sources/sec-current-filings.js";

const WINDOW_MS = 7 * DAY_MS;
/** Maximum number of stored filings. It is well above the estimate for a busy week. */
const FILINGS_MAX = 5_000;
const FILINGS_MIN = 50;
/**
 * Each run rereads the filings that were accepted in this period before the last complete run. A filing that is
 * accepted in the evening is not listed until the next morning, and then below newer filings.
 */
const OVERLAP_MS = 18 * HOUR_MS;

const Reach = Type.Object({ readTo: Type.Union([Type.Integer(), Type.Null()]) });
interface Reach {
  /**
   * Time of the last complete run. Every filing of the preceding seven days has been read if the SEC had listed it by
   * this time. Null before the first complete run.
   */
  readonly readTo: number | null;
}

const parts = {
  filings: part<StoredFiling, FilingsPlan, Reach, ReadSpan>({
    sources: [secCurrentFilings],
    identity: ["accessionNumber", "cik"],
    plan: ({ now, memory: { readTo } }) => ({
      since: Math.max(now - WINDOW_MS, (readTo ?? Number.NEGATIVE_INFINITY) - OVERLAP_MS),
    }),
    memory: {
      schema: Reach,
      initial: { readTo: null },
      describes: "records",
      after: ({ readTo }, [span]) => ({ readTo: span?.readTo ?? readTo }),
    },
    merge(kept, fresh, { tally }) {
      const merged = byAccession([...kept, ...fresh]);
      tally.joined("entries of one filing", kept.length + fresh.length - merged.length);
      return merged;
    },
    select(filings, now, tally) {
      const recent = tally.filter(filings, { "older than seven days": ({ filedAt }) => filedAt >= now - WINDOW_MS });
      return tally.first(`beyond the newest ${FILINGS_MAX}`, recent, FILINGS_MAX);
    },
    fillsUp: true,
  }),
};

/** The stored filings. Every list is sorted newest first. */
export interface FilingsView {
  readonly all: readonly FilingEvent[];
  /** Filings with at least one material item. */
  readonly material: readonly FilingEvent[];
  readonly byItem: ReadonlyMap<string, readonly FilingEvent[]>;
  /** Filings by CIK. A filing of several companies is listed under each of them. */
  readonly byCik: ReadonlyMap<string, readonly StoredFiling[]>;
}

function* viewSteps({ filings }: RecordsOf<typeof parts>, pace: ClockPace): Steps<FilingsView> {
  const all: FilingEvent[] = [];
  const material: FilingEvent[] = [];
  const byItem = new Map<string, FilingEvent[]>();
  const byCik = new Map<string, StoredFiling[]>();
  yield* visitSteps(filings, pace, (filing) => {
    const event = eventOf(filing);
    all.push(event);
    if (filing.items.some(isMaterialItem)) material.push(event);
    for (const item of filing.items) listIn(byItem, item).push(event);
    for (const { cik } of filersOf(filing)) listIn(byCik, cik).push(filing);
  });
  return { all, material, byItem, byCik };
}

function listIn<T>(lists: Map<string, T[]>, key: string): T[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

function eventOf({ companyName, cik, form, accessionNumber, filedAt, items, url }: StoredFiling): FilingEvent {
  return {
    company: companyName,
    cik,
    form,
    accession: accessionNumber,
    filedAtMs: filedAt,
    items: items.map((code) => ({ code, description: itemName(code) })),
    url,
  };
}

/** The current reports (form 8-K) that companies filed with the SEC in the last seven days. */
export const materialEvents = dataset({
  name: "material-events",
  title: "Current reports of US-listed companies",
  description:
    "Current reports (forms 8-K and 8-K/A) that companies filed with the US Securities and Exchange Commission in the last seven days, with their items.",
  cadenceMs: 30 * MINUTE_MS,
  staleAfterMs: 3 * HOUR_MS,
  partAges: contentAges.materialEvents.parts,
  gaps: [
    "The SEC answers 403 to clients that send no contact address. Set VIGIL_CONTACT.",
    "A page of the SEC's list has 100 entries, so the first run reads up to 50 pages. If one of these pages fails, the filings of the pages before it are stored, and the next run reads the whole week again.",
    "A report by several companies is one filing, under the company that the SEC listed first.",
    "Only the item codes are read, not the documents.",
    "Foreign companies file form 6-K instead and are not included.",
  ],
  parts,
  gateRule: `at least ${FILINGS_MIN} filings`,
  gate: ({ filings }) =>
    filings.length < FILINGS_MIN ? `${filings.length} filings; expected at least ${FILINGS_MIN}` : undefined,
  view: viewSteps,
  newestAt: ({ filings }) => filings[0]?.filedAt ?? null,
});
