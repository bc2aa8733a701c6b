import { describe, expect, test } from "vitest";
import { failureOf, readBody, requestAbout } from "../../../../test/support/reading.js";
import { recorded, recordedBytes, recordedTitle, recordingsAbsent } from "../../../../test/support/recordings.js";
import type { StoredFiling } from "../filing-records.js";
import { secCurrentFilings } from "./sec-current-filings.js";

const noon = Date.UTC(2026, 10, 18, 12);
const pageFrom = (since: number, number = 0) => requestAbout(secCurrentFilings, "pages", { since, number });
const request = pageFrom(noon);

const entry = ({
  title = "8-K - Vigil &amp; Sons, Inc. (0001900001) (Filer)",
  form = "8-K",
  id = "urn:tag:sec.gov,2008:accession-number=0001900001-26-000007",
  lines = "&lt;br&gt;Item 5.02: Departure of Directors\n&lt;br&gt;Item 1.01: Entry into an Agreement\n",
  updated = "2026-11-18T06:59:00-05:00",
  href = "https://www.sec.gov/Archives/edgar/data/1900001/000190000126000007/0001900001-26-000007-index.htm",
} = {}) => `<entry>
<title>${title}</title>
<link rel="alternate" type="text/html" href="${href}"/>
<summary type="html">
 &lt;b&gt;Filed:&lt;/b&gt; 2026-11-18 &lt;b&gt;AccNo:&lt;/b&gt; 0001900001-26-000007 &lt;b&gt;Size:&lt;/b&gt; 10 KB
${lines}</summary>
<updated>${updated}</updated>
<category scheme="https://www.sec.gov/" label="form type" term="${form}"/>
<id>${id}</id>
</entry>
`;
const feed = (...entries: readonly string[]) => `<?xml version="1.0" encoding="ISO-8859-1" ?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>Latest Filings</title>
<updated>2026-11-18T07:00:00-05:00</updated>
${entries.join("")}</feed>`;
const read = (...entries: readonly string[]) => readBody(secCurrentFilings, request, feed(...entries));

test("an entry becomes a filing with its items in order", () => {
  expect(read(entry()).records).toEqual([
    {
      accessionNumber: "0001900001-26-000007",
      form: "8-K",
      filedAt: Date.UTC(2026, 10, 18, 11, 59),
      cik: "0001900001",
      companyName: "Vigil & Sons, Inc.",
      items: ["1.01", "5.02"],
      url: "https://www.sec.gov/Archives/edgar/data/1900001/000190000126000007/0001900001-26-000007-index.htm",
    },
  ]);
});

test("a filing without item lines has no items", () => {
  expect(read(entry({ lines: "" })).records).toMatchObject([{ items: [] }]);
});

test("an amendment is read, and another form whose name begins with 8-K is omitted", () => {
  const { records, rowsBad } = read(
    entry({ title: "8-K/A - Vigil (DE) LP (0001900001) (Filer)", form: "8-K/A" }),
    entry({ title: "8-K12B - Vigil (0001900001) (Filer)", form: "8-K12B" }),
  );
  expect(records).toMatchObject([{ form: "8-K/A", companyName: "Vigil (DE) LP" }]);
  expect(rowsBad).toBe(0);
});

test.each([
  ["a relative address", entry({ href: "0001900001-26-000007-index.htm" })],
  ["no accession number", entry({ id: "urn:tag:sec.gov,2008:accession-number=" })],
  ["a title without a company", entry({ title: "8-K" })],
  ["a day that does not exist", entry({ updated: "2026-02-31T06:59:00-05:00" })],
])("a row with %s is skipped", (_name, broken) => {
  expect(read(entry(), broken, entry())).toMatchObject({ rowsRead: 3, rowsBad: 1 });
});

test.each(["<html><body>Request Rate Threshold Exceeded</body></html>", "<feed><entry/></feed>"])(
  "%s is reported as a changed document, not as an empty list",
  (body) => {
    expect(failureOf(() => readBody(secCurrentFilings, request, body)).kind).toBe("changed");
  },
);

describe("the pages", () => {
  const full = feed(...Array.from({ length: 100 }, () => entry()));
  const filedAt = Date.UTC(2026, 10, 18, 11, 59);

  test.each([
    ["a full page of newer filings is followed by the next page", full, filedAt - 1, 0, [1]],
    ["a full page that reaches the known filings ends the run", full, filedAt, 0, []],
    ["a page that is not full ends the run", feed(entry()), 0, 0, []],
    ["the last allowed page ends the run, even if it is full", full, 0, 49, []],
  ])("%s", (_name, body, since, number, following) => {
    const { more } = readBody(secCurrentFilings, pageFrom(since, number), body);
    expect(more.map(({ context }) => (context as { number: number }).number)).toEqual(following);
  });

  test("filings beyond the last page are reported as unread", () => {
    expect(readBody(secCurrentFilings, pageFrom(0, 49), full).lacks).toBe(
      "filings before the newest 5000 were not read",
    );
    expect(readBody(secCurrentFilings, pageFrom(0, 48), full).lacks).toBeUndefined();
  });

  test("a page request has the spacing of sec.gov, the page number in its key and the offset in `start`", () => {
    expect(pageFrom(0, 3)).toMatchObject({ spacingMs: 500, spacedWith: "sec.gov", key: "page 4" });
    expect(new URL(pageFrom(0, 3).url).searchParams.get("start")).toBe("300");
  });

  test("a run with a failed page reports no progress", () => {
    const outcome = (isRead: boolean, sentAt: number) => ({
      context: { since: 0, number: 0 },
      sentAt,
      isRead,
      failure: undefined,
    });
    const progressOf = (pages: readonly ReturnType<typeof outcome>[]) => secCurrentFilings.progress?.({ pages });
    expect(progressOf([outcome(true, 5), outcome(true, 6)])).toEqual([{ readTo: 5 }]);
    expect(progressOf([outcome(true, 5), outcome(false, 6)])).toEqual([]);
    expect(progressOf([])).toEqual([]);
  });
});

describe.skipIf(recordingsAbsent)(recordedTitle, () => {
  const page = "sec-edgar/getcurrent-atom-start0.xml";

  test("the recorded page has no 8-K filing and no bad row", () => {
    expect(readBody(secCurrentFilings, request, recordedBytes(page))).toMatchObject({
      records: [],
      rowsRead: 100,
      rowsBad: 0,
    });
  });

  test("the recorded ownership reports, relabelled as 8-K, are read with company, time and accession number", () => {
    const body = recorded(page).replaceAll("<title>4 - ", "<title>8-K - ").replaceAll('term="4"', 'term="8-K"');
    const text = (xml: string) => xml.replaceAll("&amp;", "&");
    const expected = body
      .split("<entry>")
      .slice(1)
      .filter((part) => part.includes('term="8-K"'))
      .map((part) => {
        const line = (start: string) => part.slice(part.indexOf(start) + start.length).split(/[<"\n]/, 1)[0] ?? "";
        const words = line("<title>8-K - ").split(" (");
        return {
          companyName: text(words.slice(0, -2).join(" (")),
          cik: words.at(-2)?.slice(0, 10),
          filedAt: new Date(line("<updated>")).getTime(),
          accessionNumber: line("accession-number="),
          url: line('href="'),
          form: "8-K",
          items: [],
        };
      });
    const { records, rowsBad } = readBody(secCurrentFilings, request, body);
    expect(expected.length).toBe(88);
    expect(records as readonly StoredFiling[]).toEqual(expected);
    expect(rowsBad).toBe(0);
  });

  test("the page that the SEC sends when it is overloaded is reported as a changed document, not as an empty list", () => {
    const body = recordedBytes("sec-edgar/getcurrent-start5100-HTTP503.html");
    expect(failureOf(() => readBody(secCurrentFilings, request, body)).kind).toBe("changed");
  });
});
