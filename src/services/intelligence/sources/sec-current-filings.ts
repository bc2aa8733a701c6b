import { Type } from "typebox";
import type { DocumentOf } from "../../../contract/format.js";
import { BadRow, LeftOut, SourceFailure, source, step } from "../../../contract/source.js";
import { instantRange } from "../../../contract/value-ranges.js";
import { edgarLicence, edgarRequest } from "../../../edgar/edgar-request.js";
import { HOUR_MS } from "../../../kit/clock.js";
import { isoInstant } from "../../../kit/iso-instant.js";
import type { StoredFiling } from "../filing-records.js";

/** The filings to read: all that were accepted after `since`, epoch ms. */
export interface FilingsPlan {
  readonly since: number;
}

interface Page extends FilingsPlan {
  /** Page 0 has the newest filings. */
  readonly number: number;
}

/** The time up to which a run has read all filings. */
export interface ReadSpan {
  /**
   * Epoch ms. The run has read every filing after the plan's `since` that was listed at this time, as far as
   * `PAGES_MAX` pages reach.
   */
  readonly readTo: number;
}

const PAGE_ENTRIES = 100;
/**
 * Maximum number of pages in a run. EDGAR receives about 70,000 current reports a year, so an average week has 1,300.
 * Weeks with quarterly results have many more.
 */
const PAGES_MAX = 50;

const format = { kind: "xml", root: "feed", lists: ["entry", "link", "category"] } as const;
type AtomFeed = DocumentOf<typeof format>;

/**
 * Current reports (8-K and 8-K/A), newest first, 100 entries to a page. The list has one entry for each company of a
 * joint report.
 */
export const secCurrentFilings = source({
  id: "sec-current-filings",
  title: "SEC EDGAR, latest filings: current reports (Atom)",
  home: "https://www.sec.gov/cgi-bin/browse-edgar?action=getcurrent&type=8-K",
  seen: "recorded",
  unseen: "the item lines of current reports",
  licence: edgarLicence,
  steps: {
    pages: step({
      ask: ({ since }: FilingsPlan): readonly Page[] => [{ since, number: 0 }],
      request: ({ number }) =>
        edgarRequest("build", {
          key: `page ${number + 1}`,
          url: `https://www.sec.gov/cgi-bin/browse-edgar?action=getcurrent&type=8-K&company=&dateb=&owner=include&start=${number * PAGE_ENTRIES}&count=${PAGE_ENTRIES}&output=atom`,
        }),
      format,
      row: Type.Object({
        title: Type.String({ maxLength: 500 }),
        updated: Type.String(),
        id: Type.String({ maxLength: 200 }),
        summary: Type.Object({ "#text": Type.String({ maxLength: 20_000 }) }),
        link: Type.Array(Type.Object({ "@href": Type.String({ pattern: "^https://www\\.sec\\.gov/" }) }), {
          minItems: 1,
        }),
        category: Type.Array(Type.Object({ "@term": Type.String() }), { minItems: 1 }),
      }),
      rows: entriesOf,
      record({ title, updated, id, summary, link: [link], category: [category] }): StoredFiling | LeftOut {
        const form = category?.["@term"];
        // A request for type 8-K also lists 8-K12B and other forms whose names begin with 8-K.
        if (form !== "8-K" && form !== "8-K/A") return new LeftOut("other form");
        const filedAt = isoInstant(updated);
        if (filedAt === undefined) throw new BadRow(`"${updated.slice(0, 40)}" is not a time`);
        const accessionNumber = /accession-number=(\d{10}-\d{2}-\d{6})$/.exec(id)?.[1];
        if (accessionNumber === undefined) throw new BadRow(`"${id.slice(0, 80)}" has no accession number`);
        const items = new Set(
          Array.from(summary["#text"].matchAll(/\bItem (\d{1,2}\.\d{2})\b/g), ([, code = ""]) => code),
        );
        return {
          accessionNumber,
          form,
          filedAt,
          ...filerOf(title),
          items: [...items].sort(),
          url: link?.["@href"] ?? "",
        };
      },
      more(feed, { since, number }) {
        return number + 1 < PAGES_MAX && hasEarlier(feed, since) ? [{ since, number: number + 1 }] : [];
      },
      lacks: (feed, { since, number }) =>
        number + 1 === PAGES_MAX && hasEarlier(feed, since)
          ? `filings before the newest ${PAGES_MAX * PAGE_ENTRIES} were not read`
          : undefined,
    }),
  },
  progress: ({ pages }): readonly ReadSpan[] =>
    pages.length > 0 && pages.every(({ isRead }) => isRead)
      ? [{ readTo: Math.min(...pages.map(({ sentAt }) => sentAt)) }]
      : [],
  observedAt: ({ filedAt }) => filedAt,
  aheadMs: HOUR_MS,
  ranges: { filedAt: instantRange },
});

function entriesOf(feed: AtomFeed): readonly unknown[] {
  const entries = feed["entry"] ?? [];
  if (feed["updated"] === undefined || !Array.isArray(entries)) {
    throw new SourceFailure("changed", "expected an Atom feed with the element `updated` and a list of entries");
  }
  return entries;
}

/** True if the page is full and none of its filings is as old as `since`. */
function hasEarlier(feed: AtomFeed, since: number): boolean {
  const entries = entriesOf(feed);
  return (
    entries.length >= PAGE_ENTRIES &&
    entries.every((entry) => {
      const { updated } = entry as { readonly updated?: unknown };
      const filedAt = typeof updated === "string" ? isoInstant(updated) : undefined;
      return filedAt === undefined || filedAt > since;
    })
  );
}

/** Extracts the company from a title such as `8-K - ROYAL GOLD INC (0000085535) (Filer)`. */
function filerOf(title: string): { readonly cik: string; readonly companyName: string } {
  const match = /^8-K(?:\/A)? - (.{1,200}) \((\d{10})\) \([^()]{1,40}\)$/.exec(title.trim());
  const [, companyName, cik] = match ?? [];
  if (companyName === undefined || cik === undefined) throw new BadRow(`"${title.slice(0, 80)}" names no filer`);
  return { cik, companyName };
}
