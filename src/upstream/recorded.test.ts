import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import type { XmlNode } from "../contract/format.js";
import { decode } from "./decode.js";

// Real payloads, stored next to the checkout because their licences forbid copying them here.
const folder = resolve(import.meta.dirname, "../../../shared/upstream");
const isAbsent = !existsSync(folder);
const title = isAbsent ? "recorded payloads (skipped: ../shared/upstream is not here)" : "recorded payloads";
const recorded = (file: string): Buffer => readFileSync(resolve(folder, file));

const list = (node: XmlNode | readonly XmlNode[] | undefined): readonly unknown[] => (Array.isArray(node) ? node : []);

describe.skipIf(isAbsent)(title, () => {
  it("Treasury: every entry of a year is read", () => {
    const bytes = recorded("us-treasury/DailyTreasuryYieldCurveRateData-2019.xml");
    const format = { kind: "xml", root: "feed", lists: ["entry"] } as const;
    const entries = list(decode(bytes, format)["entry"]);
    expect(entries).toHaveLength(bytes.toString().split("<entry>").length - 1);
    expect(entries[0]).toMatchObject({
      content: {
        "@type": "application/xml",
        properties: {
          NEW_DATE: { "@type": "Edm.DateTime", "#text": "2019-01-02T00:00:00" },
          BC_1MONTH: { "@type": "Edm.Double", "#text": "2.4" },
        },
      },
    });
  });

  it("Treasury: a truncated document is refused, not read as a shorter list", () => {
    const bytes = recorded("us-treasury/daily_treasury_yield_curve-202608-3entries.xml");
    const format = { kind: "xml", root: "feed", lists: ["entry"] } as const;
    const end = bytes.lastIndexOf(">");
    expect(list(decode(bytes, format)["entry"])).toHaveLength(3);
    for (let length = 1; length <= end; length += 7) {
      expect(() => decode(bytes.subarray(0, length), format)).toThrow("expected one whole feed element");
    }
  });

  it.each(["fredgraph-CPIUFDSL.csv", "fredgraph-GASDESM.csv"])("FRED: every line of %s is read", (file) => {
    const bytes = recorded(`fred/${file}`);
    const lines = bytes.toString().trim().split("\n");
    const { header, rows } = decode(bytes, { kind: "csv" }, { contentType: "application/csv" });
    expect(header).toEqual(lines[0]?.trim().split(","));
    expect([...rows].map((row) => header.map((name) => row[name]).join(","))).toEqual(
      lines.slice(1).map((line) => line.trim()),
    );
  });

  it("NOAA: every line of the monthly means is read as eight columns", () => {
    const bytes = recorded("noaa-gml/co2_mm_mlo.txt");
    const rows = decode(bytes, { kind: "columns", comment: "#" });
    const lines = bytes.toString().match(/^ *\d.*$/gm) ?? [];
    expect(rows.map((row) => row.join(" "))).toEqual(lines.map((line) => line.trim().replace(/ +/g, " ")));
    expect(rows[0]).toEqual(["1958", "3", "1958.2027", "315.71", "314.44", "-1", "-9.99", "-0.99"]);
    expect(new Set(rows.map((row) => row.length))).toEqual(new Set([8]));
  });

  it("UNHCR: JSON with letters beyond ASCII and a table of 2.5 MB are read", () => {
    const document = decode(recorded("unhcr/api-population-2024-TUR.json"), { kind: "json" });
    expect(document).toMatchObject({ items: [{ coa_name: "Türkiye", idps: "0" }] });
    const download = recorded("unhcr/population.csv");
    // The download begins with a few lines of metadata, which are not part of the table.
    const table = download.subarray(download.indexOf("\nYear,") + 1);
    const { header, rows: lines } = decode(table, { kind: "csv" });
    const rows = [...lines];
    expect(header[1]).toBe("Country of origin");
    expect(rows).toHaveLength(table.toString().trim().split("\n").length - 1);
    expect(rows.filter((row) => Object.keys(row).length !== header.length)).toEqual([]);
  });

  it("SEC: an error page is not mistaken for the feed", () => {
    const page = recorded("sec-edgar/getcurrent-start5100-HTTP503.html");
    expect(() => decode(page, { kind: "xml", root: "feed", lists: [] })).toThrow("the body is an HTML page");
  });

  it("news: every XML feed is decoded in its own encoding", () => {
    const files = readdirSync(resolve(folder, "news"));
    for (const file of files) {
      const bytes = recorded(`news/${file}`);
      const root = ["rss", "RDF", "feed"].find((name) =>
        new RegExp(`<(\\w+:)?${name}[\\s>]`).test(bytes.toString("latin1")),
      );
      const document = decode(bytes, { kind: "xml", root: root ?? "rss", lists: ["item", "entry"] });
      expect(Object.keys(document).length, file).toBeGreaterThan(0);
      if (!file.includes("mojibake")) expect(JSON.stringify(document), file).not.toContain("\ufffd");
    }
    expect(files.length).toBeGreaterThan(20);
  });
});
