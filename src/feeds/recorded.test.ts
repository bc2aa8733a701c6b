import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { textOf } from "../upstream/text.js";
import { readFeed } from "./read-feed.js";

// Real feeds, kept beside the checkout because their licences forbid copying them here. What they hold is read a second
// time with this test's own few lines: plain searches in the raw text, nothing of the reader.
const folders = ["news", "news-rss"].map((name) => resolve(import.meta.dirname, "../../../shared/upstream", name));
const isAbsent = !folders.every(existsSync);
const files = isAbsent ? [] : folders.flatMap((folder) => readdirSync(folder).map((file) => resolve(folder, file)));

const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

/** Text of a piece of markup: CDATA opened, tags dropped, references resolved, twice; white space collapsed. */
function wordsIn(markup: string): string {
  const round = (text: string): string =>
    text
      .replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, "$1")
      .replace(/<br\s*\/?>|<\/?p[^>]*>/gi, " ")
      .replace(/<\/?[a-z][^>]*>/gi, "")
      .replace(/&#x([\da-f]+);/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
      .replace(/&#(\d+);/g, (_, decimal: string) => String.fromCodePoint(Number(decimal)))
      .replace(/&(\w+);/g, (whole, name: string) => named[name] ?? whole);
  return round(round(markup))
    .replace(/\s+/g, " ")
    .replace(/[\p{Cc}\u00ad\u200b\u200e\u200f\ufeff]/gu, "")
    .normalize("NFC")
    .trim();
}

const elementIn = (item: string, ...names: readonly string[]): string | undefined => {
  for (const name of names) {
    const found = new RegExp(`<${name}(?:\\s[^>]*)?>([\\s\\S]*?)</${name}>`).exec(item)?.[1];
    if (found !== undefined && found.trim() !== "") return found.replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, "$1").trim();
  }
  return undefined;
};

const englishMonths = "janfebmaraprmayjunjulaugsepoctnovdec";

/** The instant of the forms that these feeds use. */
function timeOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const iso = /^\d{4}-\d\d-\d\dT/.exec(text);
  if (iso) return Date.parse(text);
  const long = /^\w+, (\w+) (\d+), (\d{4}) (\d+):(\d+) ([AP])M$/.exec(text);
  if (long) {
    const [, month = "", day, year, hour, minute, half] = long;
    const at = englishMonths.indexOf(month.slice(0, 3).toLowerCase()) / 3;
    return Date.UTC(Number(year), at, Number(day), (Number(hour) % 12) + (half === "P" ? 12 : 0), Number(minute));
  }
  const parts = /(\d{1,2}) (\w{3}) (\d{4}) (\d\d):(\d\d)(?::(\d\d))?\s*(\S*)$/.exec(text);
  if (!parts) return undefined;
  const [, day, month = "", year, hour, minute, second = "0", zone = ""] = parts;
  const portuguese = "janfevmarabrmaijunjulagosetoutnovdez".indexOf(month.toLowerCase());
  const english = englishMonths.indexOf(month.toLowerCase());
  const offset = /^([+-])(\d\d):?(\d\d)$/.exec(zone);
  const zones: Readonly<Record<string, number>> = { EST: -5, EDT: -4, GMT: 0, Z: 0, UT: 0, "": 0 };
  const minutes = offset
    ? Number(`${offset[1]}1`) * (Number(offset[2]) * 60 + Number(offset[3]))
    : (zones[zone] ?? Number.NaN) * 60;
  return Date.UTC(
    Number(year),
    (english < 0 ? portuguese : english) / 3,
    Number(day),
    Number(hour),
    Number(minute) - minutes,
    Number(second),
  );
}

/** The address without what only tells how a reader came. */
function bareLink(text: string | undefined): string | undefined {
  if (text === undefined || !URL.canParse(wordsIn(text))) return undefined;
  const url = new URL(wordsIn(text));
  return `${url.protocol}//${url.host}${url.pathname}`;
}

function itemsByHand(text: string): readonly string[] {
  return text.match(/<(item|entry)[\s>][\s\S]*?<\/\1>/g) ?? [];
}

const linkOf = (item: string): string | undefined => {
  const alternate =
    /<link(?=[^>]*rel="alternate")[^>]*href="([^"]*)"/.exec(item)?.[1] ?? /<link[^>]*href="([^"]*)"/.exec(item)?.[1];
  return elementIn(item, "feedburner:origLink", "link") ?? alternate;
};

describe.skipIf(isAbsent)(
  isAbsent ? "recorded feeds (skipped: ../shared/upstream is not here)" : "recorded feeds",
  () => {
    test("there are thirty of them", () => {
      expect(files.length).toBeGreaterThanOrEqual(30);
    });

    test.each(files.map((file) => [file.split("/").slice(-2).join("/"), file]))("%s", (_, file) => {
      const text = textOf(readFileSync(file));
      const byHand = itemsByHand(text.replace(/<!--[\s\S]*?-->/g, ""));
      const { items, itemsTotal } = readFeed(text);
      expect(itemsTotal).toBe(byHand.length);
      expect(items.map(({ title }) => title)).toEqual(
        byHand.map((item) => wordsIn(elementIn(item, "title") ?? "").slice(0, 500)),
      );
      expect(items.map(({ link }) => bareLink(link))).toEqual(byHand.map((item) => bareLink(linkOf(item))));
      const times = byHand.map((item) => timeOf(elementIn(item, "pubDate", "published", "updated", "dc:date")));
      expect(items.map(({ publishedAt }) => publishedAt)).toEqual(times);
      for (const { title, summary } of items) {
        expect(`${title} ${summary}`).not.toMatch(/<[a-z!/]|&(?:amp|lt|gt|quot|nbsp|#\d+);/i);
        expect(`${title} ${summary}`).not.toContain("\ufffd");
      }
    });
  },
);
