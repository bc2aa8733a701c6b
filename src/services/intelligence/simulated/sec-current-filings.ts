import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../kit/clock.js";
import { streamFor } from "../../../simulator/models/random-stream.js";
import { REGISTRANTS, type Registrant, registrantAt } from "../../../simulator/models/registrants.js";
import {
  rewriteMiddle,
  type SimulatedAnswer,
  type SimulatedRequest,
  simulatedUpstream,
} from "../../../simulator/upstream.js";

/**
 * Simulates EDGAR's list of the latest filings of type 8-K, 100 to a page. It includes joint reports, amendments, and
 * other forms whose names begin with 8-K.
 */
export const upstream = simulatedUpstream({
  name: "sec-current-filings",
  routes: [
    {
      host: "www.sec.gov",
      path: "/cgi-bin/browse-edgar",
      handle: answerPage,
      variants: {
        changed: (xml) => xml.replaceAll("updated>", "modified>"),
        empty: (xml) => xml.replace(/<entry>[\s\S]*<\/entry>\n/, ""),
        badRow: (xml) =>
          rewriteMiddle(xml, /href="https:\/\/www\.sec\.gov\/Archives[^"]*"/g, () => 'href="ht-index.htm"'),
      },
    },
  ],
});

/** Length of a period. One report is filed in each period. */
const SLOT_MS = 12 * MINUTE_MS;
const LISTED_MS = 10 * DAY_MS;
const EASTERN_MS = -5 * HOUR_MS;
const COUNT_MAX = 100;

const itemTitles: Readonly<Record<string, string>> = {
  "1.01": "Entry into a Material Definitive Agreement",
  "1.03": "Bankruptcy or Receivership",
  "1.05": "Material Cybersecurity Incidents",
  "2.02": "Results of Operations and Financial Condition",
  "3.01": "Notice of Delisting or Failure to Satisfy a Continued Listing Rule or Standard; Transfer of Listing",
  "4.02":
    "Non-Reliance on Previously Issued Financial Statements or a Related Audit Report or Completed Interim Review",
  "5.02":
    "Departure of Directors or Certain Officers; Election of Directors; Appointment of Certain Officers: Compensatory Arrangements of Certain Officers",
  "5.07": "Submission of Matters to a Vote of Security Holders",
  "7.01": "Regulation FD Disclosure",
  "8.01": "Other Events",
};
const codes = Object.keys(itemTitles);

function answerPage({ url, clock, seed }: SimulatedRequest): SimulatedAnswer {
  const now = clock.now();
  const start = Number(url.searchParams.get("start") ?? 0);
  const count = Math.min(Number(url.searchParams.get("count") ?? 40), COUNT_MAX);
  const newest = Math.floor(now / SLOT_MS);
  const slots = Array.from({ length: LISTED_MS / SLOT_MS }, (_, index) => newest - index);
  const entries = slots.flatMap((slot) => entriesOf(slot, now, seed)).slice(start, start + count);
  const at = easternTime(now);
  const body = `<?xml version="1.0" encoding="ISO-8859-1" ?>
<feed xmlns="http://www.w3.org/2005/Atom">
<title>Latest Filings - Simulated</title>
<link rel="alternate" href="/cgi-bin/browse-edgar?action=getcurrent"/>
<link rel="self" href="/cgi-bin/browse-edgar?action=getcurrent"/>
<id>https://www.sec.gov/cgi-bin/browse-edgar?action=getcurrent</id>
<author><name>Webmaster</name><email>webmaster@sec.gov</email></author>
<updated>${at}</updated>
${entries.join("")}</feed>
`;
  return { status: 200, contentType: "application/atom+xml", encoding: "ISO-8859-1", body };
}

/**
 * Creates the entries of a period's report: one entry, or two if the report is joint; none if the report's time is in
 * the future.
 */
function entriesOf(slot: number, now: number, seed: number): readonly string[] {
  const random = streamFor(seed, `8-K ${slot}`);
  const at = slot * SLOT_MS + Math.floor(random() * SLOT_MS);
  if (at > now) return [];
  const form = random() < 0.03 ? "8-K12B" : random() < 0.1 ? "8-K/A" : "8-K";
  const index = Math.floor(random() * REGISTRANTS);
  const companies = [registrantAt(index), ...(random() < 0.05 ? [registrantAt((index + 1) % REGISTRANTS)] : [])];
  const items = [...new Set([codeOf(random()), codeOf(random())])].sort();
  const accession = `0009${String(index).padStart(6, "0")}-${String(new Date(at).getUTCFullYear()).slice(2)}-${String(slot % 1_000_000).padStart(6, "0")}`;
  return companies.map((company) => entryOf(company, { at, form, items, accession }));
}

interface Report {
  readonly at: number;
  readonly form: string;
  readonly items: readonly string[];
  readonly accession: string;
}

function entryOf({ cik, name }: Registrant, { at, form, items, accession }: Report): string {
  const filed = easternTime(at);
  const folder = `https://www.sec.gov/Archives/edgar/data/${cik}/${accession.replaceAll("-", "")}`;
  const lines = [
    ...items.map((code) => `Item ${code}: ${itemTitles[code]}`),
    "Item 9.01: Financial Statements and Exhibits",
  ];
  return `<entry>
<title>${form} - ${name.replace("&", "&amp;")} (${String(cik).padStart(10, "0")}) (Filer)</title>
<link rel="alternate" type="text/html" href="${folder}/${accession}-index.htm"/>
<summary type="html">
 &lt;b&gt;Filed:&lt;/b&gt; ${filed.slice(0, 10)} &lt;b&gt;AccNo:&lt;/b&gt; ${accession} &lt;b&gt;Size:&lt;/b&gt; ${100 + (at % 900)} KB
${lines.map((line) => `&lt;br&gt;${line}`).join("\n")}
</summary>
<updated>${filed}</updated>
<category scheme="https://www.sec.gov/" label="form type" term="${form}"/>
<id>urn:tag:sec.gov,2008:accession-number=${accession}</id>
</entry>
`;
}

function codeOf(random: number): string {
  return codes[Math.floor(random * codes.length)] ?? "8.01";
}

/** Formats a time as EDGAR does, but always without daylight saving. */
function easternTime(at: number): string {
  return `${new Date(at + EASTERN_MS).toISOString().slice(0, 19)}-05:00`;
}
