import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { decode } from "../upstream/decode.js";
import { type FeedItem, readFeed } from "./read-feed.js";

// Real feeds, stored outside the checkout because their licences forbid copying them here. This test reads each feed a
// second time with a few lines of its own. These lines use a fixed encoding for each file and plain text searches, and
// share no code with the reader.
const folder = resolve(import.meta.dirname, "../../../shared/upstream");
const isAbsent = !["news", "news-rss"].every((name) => existsSync(resolve(folder, name)));

interface Recorded {
  /** The encoding of the bytes, found by inspection. It is not always the declared encoding. */
  readonly encoding: string;
  readonly items: number;
  readonly undated?: number;
  readonly unlinked?: number;
  /** Tracking parameters of this publisher. */
  readonly tracking?: readonly string[];
  /** Words in the first and the last title, and the instants of both items, as a person read them in the file. */
  readonly first?: readonly [string, string?];
  readonly last?: readonly [string, string?];
}

const recorded: Readonly<Record<string, Recorded>> = {
  "news/aljazeera-rss20-2026-09-10-subset.xml": {
    encoding: "utf-8",
    items: 6,
    tracking: ["traffic_source"],
    first: ["‘Gone in a blink’: Nepal floods", "2026-09-10T07:57:23Z"],
    last: ["Trump: Every American gets $5,000 if Republicans win House & Senate", "2026-09-10T04:25:50Z"],
  },
  "news/bbc-world-rss20-2026-09-10-subset.xml": {
    encoding: "utf-8",
    items: 6,
    tracking: ["at_medium", "at_campaign"],
    first: ["Trump says every adult American would get $5,000", "2026-09-10T06:56:38Z"],
    last: ["Two die at Moldovan border", "2026-09-09T20:28:04Z"],
  },
  "news/ctvnews-rss20-2017-cdata.xml": {
    encoding: "utf-8",
    items: 10,
    first: ["Florida shooting suspect struggled", "2017-01-07T00:18:00Z"],
    last: ["$60 million Lotto Max jackpot", "2017-01-07T13:01:00Z"],
  },
  "news/dailymail-rss20-2017-empty.xml": { encoding: "utf-8", items: 0 },
  "news/encoding-rss.xml": {
    encoding: "iso-8859-1",
    items: 40,
    first: ["Mãe de utente é a nova presidente da Raríssimas", "2018-01-03T13:47:00Z"],
    last: ["Lisboa quer passes sociais com acesso a táxis", "2018-01-03T00:25:00Z"],
  },
  // Declared as ISO-8859-1, but encoded in UTF-8. No item has a date.
  "news/finanzen-net-rss20-2017-undated.xml": {
    encoding: "utf-8",
    items: 15,
    undated: 15,
    first: ["NVIDIA Buy"],
    last: ["Fidelity National Information Services Outperform"],
  },
  "news/guardian-rss20.xml": {
    encoding: "utf-8",
    items: 55,
    first: ["Trump State of the Union address promised unity", "2018-01-31T07:26:05Z"],
    last: ["Earth's ultimate yogis – in pictures", "2018-01-31T07:00:20Z"],
  },
  "news/heise-atom.xml": {
    encoding: "utf-8",
    items: 15,
    tracking: ["wt_mc"],
    first: ["Java-Anwendungsserver: Red Hat gibt WildFly 10 frei", "2016-02-01T16:22:00Z"],
    last: ["Apache Software Foundation bekommt ein neues Logo", "2016-01-28T16:07:00Z"],
  },
  // Only the channel has a date.
  "news/japantimes-rss20-2017.xml": {
    encoding: "utf-8",
    items: 118,
    undated: 118,
    first: ["‘Trump shock’ after Toyota tweet reverberates"],
    last: ["Brace for an interesting year"],
  },
  // This file was encoded twice when it was recorded, so it is valid UTF-8 with wrong letters. The reader must return
  // these letters unchanged.
  "news/lemonde-rss20-2017-mojibake.xml": {
    encoding: "utf-8",
    items: 18,
    tracking: ["xtor"],
    first: ["Piratage imputÃ© Ã", "2017-01-07T06:36:48Z"],
    last: ["nouvelle vague de purges", "2017-01-07T05:16:34Z"],
  },
  "news/moscowtimes-rss20-2017-bom.xml": {
    encoding: "utf-8",
    items: 50,
    first: ["Russian State TV Praises Trump for Avoiding ‘Democracy’", "2017-01-23T16:45:02Z"],
    last: ["Don’t Say It", "2017-01-10T19:58:13Z"],
  },
  "news/nytimes-home-rss20-2017.xml": {
    encoding: "utf-8",
    items: 33,
    tracking: ["partner", "emc"],
    first: ["Putin Led a Complex Cyberattack Scheme", "2017-01-07T01:49:31Z"],
    last: ["The Neediest Cases: A Young Mother’s Solitary, Uphill Struggle", "2017-01-05T16:44:23Z"],
  },
  "news/orf-at-rdf10-2017-bom.xml": {
    encoding: "utf-8",
    items: 50,
    first: ["US-Band New Edition mit Stern auf „Walk of Fame“ geehrt", "2017-01-23T20:54:55Z"],
    last: ["Trump will NAFTA-Neuverhandlung", "2017-01-23T13:17:05Z"],
  },
  // Neither declared as nor encoded in UTF-8.
  "news/picofeed-cercle.psy.xml": {
    encoding: "iso-8859-1",
    items: 7,
    first: ["Stéphane Gumpper : Qu'est-ce que la psychologie", "2013-05-23T10:30:00Z"],
    last: ["Exprimez-vous avec le Cercle Psy", "2013-05-23T10:30:00Z"],
  },
  // No item has a date.
  "news/picofeed-heise.rdf": {
    encoding: "utf-8",
    items: 60,
    undated: 60,
    tracking: ["wt_mc"],
    first: ["Facebook f8: Künstliche Intelligenz räumt den Newsfeed auf"],
    last: ["iPhone-Entsperr-Tool: Apple plant wohl keine Klage"],
  },
  "news/picofeed-rue89.xml": {
    encoding: "utf-8",
    items: 25,
    first: ["Quand Jérôme Cahuzac trouvait que « sa présence", "2013-04-06T15:50:31Z"],
    last: ["Le boss d’Acadomia", "2013-04-04T14:20:40Z"],
  },
  // Weekdays are wrong: 4 October 2013 was a Friday.
  "news/picofeed-xakep.ru.xml": {
    encoding: "windows-1251",
    items: 25,
    first: ["Руководители разведки США шутят об убийстве Сноудена", "2013-10-03T23:34:59Z"],
    last: ["Смартфон на столе рядом с клавиатурой", "2013-09-30T14:28:24Z"],
  },
  "news/retriever-iso88591-2018.xml": {
    encoding: "iso-8859-1",
    items: 30,
    first: ["SVART MÅNAD - DÖDSOLYCKA i Vetlanda", "2018-08-19T07:14:00Z"],
    last: ["Fler omkommer i trafiken", "2018-08-17T02:09:32Z"],
  },
  "news/reuters-rss20-2017.xml": {
    encoding: "utf-8",
    items: 10,
    tracking: ["feedType", "feedName"],
    first: ["Iraq says deal reached over withdrawal", "2017-01-07T13:52:27Z"],
    last: ["Syrian rebels deny report of ceasefire near Damascus", "2017-01-06T18:02:11Z"],
  },
  "news/rssparser-feed-dcdate.xml": {
    encoding: "utf-8",
    items: 1,
    first: ["Europe : vers un « affaiblissement historique »", "2025-02-26T16:42:45Z"],
  },
  // A podcast: its item has an enclosure and a guid that is not an address.
  "news/rssparser-feed-test-charset.xml": {
    encoding: "utf-8",
    items: 1,
    unlinked: 1,
    first: ["Høydepunkter fra 2022 - nr.11", "2022-12-31T08:00:00Z"],
  },
  "news/rssparser-feed-test-greek.xml": {
    encoding: "iso-8859-7",
    items: 1,
    first: ["«Πορτραίτα καραντίνας» για έμπνευση από τη συλλογή Φέλιου", "2020-04-24T20:03:00Z"],
  },
  "news/rssparser-feed-test-hindi-channel-image.xml": {
    encoding: "utf-8",
    items: 1,
    first: ["कैसे फैला कोरोना वायरस, WHO", "2021-01-29T16:42:00Z"],
  },
  "news/rssparser-feed-test-ru.xml": {
    encoding: "utf-8",
    items: 1,
    first: ["СМИ: собака в Таиланде спасла", "2019-05-18T07:52:50Z"],
  },
  "news/rssparser-rdf-feed-test.xml": {
    encoding: "utf-8",
    items: 1,
    first: ["Kiew erneut Ziel russischer Drohnenangriffe", "2025-01-03T09:14:24Z"],
  },
  "news/stadtfeuerwehr-rss091-iso88591.xml": {
    encoding: "iso-8859-1",
    items: 15,
    first: ["[19.08.2018 - 07:08 Uhr] Brandmeldeanlagenalarm", "2018-08-19T06:08:00Z"],
    last: ["[02.08.2018 - 11:18 Uhr] Brandmeldeanlagenalarm", "2018-08-02T10:18:00Z"],
  },
  "news/theverge-atom-2017.xml": {
    encoding: "utf-8",
    items: 10,
    first: ["This is the new Hulu experience with live TV", "2017-01-07T14:00:01Z"],
    last: ["Watch episode 3 of The Vergecast Live at CES 2017", "2017-01-06T21:30:00Z"],
  },
  // Neither declared as nor encoded in UTF-8. Months are Portuguese.
  "news/uol-noticias-rss20.xml": {
    encoding: "iso-8859-1",
    items: 15,
    first: ["Ibope: Bolsonaro perde de Haddad, Ciro e Alckmin em simulações de 2º turno", "2018-09-24T22:42:40Z"],
    last: ['Fama "A" é campeã da Primeira Divisão', "2018-09-24T22:18:49Z"],
  },
  // Encoded twice when it was recorded, like the file of Le Monde above.
  "news/yandex-news-moscow-rss20-2017-mojibake.xml": {
    encoding: "utf-8",
    items: 15,
    first: ["Ð’ ÐœÐ¾", "2017-01-07T14:12:53Z"],
    last: ["25 Ñ‡ÐµÐ»Ð¾Ð²ÐµÐº", "2017-01-06T17:41:43Z"],
  },
  "news-rss/guardian_uk.2-items.xml": {
    encoding: "utf-8",
    items: 2,
    first: ["Zelenskyy says ‘crucial’ for Ukraine", "2025-03-01T16:52:09Z"],
    last: ["‘He defended our honour’: Ukraine reacts", "2025-03-01T12:52:22Z"],
  },
};

const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

/**
 * Returns the text of a piece of markup. Two rounds unwrap CDATA, drop tags and resolve references. Then white space is
 * collapsed.
 */
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

/** The content of the first of these elements that is not empty. */
function elementIn(item: string, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const content = new RegExp(`<${name}(?:\\s[^>]*)?>([\\s\\S]*?)</${name}>`).exec(item)?.[1];
    if (content !== undefined && content.trim() !== "")
      return content.replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, "$1").trim();
  }
  return undefined;
}

const englishMonths = "janfebmaraprmayjunjulaugsepoctnovdec";
const portugueseMonths = "janfevmarabrmaijunjulagosetoutnovdez";

/** Parses the date formats of these feeds. */
function timeOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return Date.parse(text);
  const long = /^\w+, (\w+) (\d+), (\d{4}) (\d+):(\d+) ([AP])M$/.exec(text);
  if (long) {
    const [, month = "", day, year, hour, minute, half] = long;
    const at = englishMonths.indexOf(month.slice(0, 3).toLowerCase()) / 3;
    return Date.UTC(Number(year), at, Number(day), (Number(hour) % 12) + (half === "P" ? 12 : 0), Number(minute));
  }
  const parts = /(\d{1,2}) (\w{3}) (\d{4}) (\d\d):(\d\d)(?::(\d\d))?\s*(\S*)$/.exec(text);
  if (!parts) throw new Error(`this test cannot read the date ${text}`);
  const [, day, month = "", year, hour, minute, second = "0", zone = ""] = parts;
  const english = englishMonths.indexOf(month.toLowerCase());
  const at = (english < 0 ? portugueseMonths.indexOf(month.toLowerCase()) : english) / 3;
  const offset = /^([+-])(\d\d):?(\d\d)$/.exec(zone);
  const zones: Readonly<Record<string, number>> = { EST: -5, EDT: -4, GMT: 0, Z: 0, UT: 0, "": 0 };
  const minutes = offset
    ? Number(`${offset[1]}1`) * (Number(offset[2]) * 60 + Number(offset[3]))
    : (zones[zone] ?? Number.NaN) * 60;
  return Date.UTC(Number(year), at, Number(day), Number(hour), Number(minute) - minutes, Number(second));
}

/** The address without its fragment and this publisher's tracking parameters, by text operations only. */
function linkByHand(item: string, tracking: readonly string[]): string | undefined {
  const alternate =
    /<link(?=[^>]*rel="alternate")[^>]*href="([^"]*)"/.exec(item)?.[1] ?? /<link[^>]*href="([^"]*)"/.exec(item)?.[1];
  const text = elementIn(item, "feedburner:origLink", "link") ?? alternate;
  if (text === undefined || !URL.canParse(wordsIn(text))) return undefined;
  const [address = "", query] = wordsIn(text)
    .replace(/#[\s\S]*$/, "")
    .split("?");
  const kept = (query ?? "").split("&").filter((pair) => pair !== "" && !tracking.includes(pair.split("=")[0] ?? ""));
  return kept.length === 0 ? address : `${address}?${kept.join("&")}`;
}

type Core = Pick<FeedItem, "title" | "link" | "publishedAt">;

/** The items of a file, found by text search without the reader. */
function itemsByHand(name: string, { encoding, tracking = [] }: Recorded): readonly Core[] {
  const bytes = readFileSync(resolve(folder, name));
  const text = new TextDecoder(encoding, { fatal: true }).decode(bytes).replace(/<!--[\s\S]*?-->/g, "");
  const items: readonly string[] = text.match(/<(item|entry)[\s>][\s\S]*?<\/\1>/g) ?? [];
  return items.map((item) => ({
    title: wordsIn(elementIn(item, "title") ?? ""),
    link: linkByHand(item, tracking),
    publishedAt: timeOf(elementIn(item, "pubDate", "published", "updated", "dc:date")),
  }));
}

describe.skipIf(isAbsent)(
  isAbsent ? "recorded feeds (skipped: ../shared/upstream is not here)" : "recorded feeds",
  () => {
    test("all recorded feeds are in the table", () => {
      const files = ["news", "news-rss"].flatMap((name) =>
        readdirSync(resolve(folder, name)).map((file) => `${name}/${file}`),
      );
      expect(Object.keys(recorded).sort()).toEqual(files.sort());
    });

    test.each(Object.entries(recorded))("the reader and a text search agree on the items of %s", (name, expected) => {
      const byHand = itemsByHand(name, expected);
      const { items, itemsTotal } = decode(readFileSync(resolve(folder, name)), { kind: "feed" });
      const read = items.map(({ title, link, publishedAt }): Core => ({ title, link, publishedAt }));
      expect(read).toEqual(byHand);
      expect(itemsTotal).toBe(expected.items);
      expect(read.filter(({ publishedAt }) => publishedAt === undefined)).toHaveLength(expected.undated ?? 0);
      expect(read.filter(({ link }) => link === undefined)).toHaveLength(expected.unlinked ?? 0);
      for (const [item, [words = "", at] = []] of [
        [read[0], expected.first] as const,
        [read.at(-1), expected.last] as const,
      ]) {
        expect(item?.title ?? "").toContain(words);
        if (at !== undefined) expect(item?.publishedAt).toBe(Date.parse(at));
      }
      for (const { title, summary } of items) {
        expect(`${title} ${summary}`).not.toMatch(/<[a-z!/]|&(?:amp|lt|gt|quot|nbsp|#\d+);/i);
        expect(`${title} ${summary}`).not.toContain("\ufffd");
        if (!name.includes("mojibake")) expect(`${title} ${summary}`).not.toMatch(/Ã[¤¶¼Ÿ©¨]/);
      }
    });

    test("reversing the second encoding of a feed that was encoded twice restores the publisher's text", () => {
      // Reverses the second encoding: maps the letters back to bytes of Windows-1252, and decodes those as UTF-8.
      const undone = (text: string): string => {
        const c1 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";
        const bytes = [...text].map((char) => (c1.includes(char) ? 0x80 + c1.indexOf(char) : char.charCodeAt(0)));
        return Buffer.from(bytes).toString("utf8");
      };
      const bytes = readFileSync(resolve(folder, "news/lemonde-rss20-2017-mojibake.xml"));
      const { items } = readFeed(bytes.toString("utf8"));
      expect(undone(items[0]?.summary ?? "")).toContain("affirme que le président");
    });
  },
);
