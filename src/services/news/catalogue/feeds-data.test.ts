import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { canonicalLink } from "../../../feeds/canonical-link.js";
import { type DigestVariant, digestVariants } from "./digest-variants.js";
import { digestLanguages, feedCatalogue, feedsFor } from "./feed-catalogue.js";
import { feedFile } from "./feed-file.js";
import { problemsOfRow, tierOf } from "./feed-row.js";
import { riskGrounds } from "./risk-grounds.js";

const folder = resolve(import.meta.dirname, "../../../../../shared/reference/feeds");
const files = ["active-feeds-by-country.json", "awesome-rss-feeds.csv"].map((name) => resolve(folder, name));
const referenceAbsent = !files.every(existsSync);

/**
 * Maximum share of feeds whose address is documented by the publisher but is not in the reference list, a public list
 * of feeds in `../shared/reference/feeds`.
 */
const DOCUMENTED_RATIO_MAX = 0.25;

/** Feeds for which the reference list has only an http address. Most of these hosts redirect to https. */
const plainHttp = `
  bbc-world ft-world wapo-world nyt-home nbc-news csmonitor new-york-post new-republic bbc-uk independent-uk
  cyprus-mail ansa-en tribune-de-geneve die-zeit tagesschau handelsblatt sz-wirtschaft kurier-at
  die-presse-wirtschaft nzz tages-anzeiger adnkronos il-messaggero nu-nl waterkant starnieuws dagens-nyheter
  expressen dagens-industri novinky aktualne hospodarske-noviny hvg index-hu nepszava tvr-stiri adevarul dnes-bg
  darik actualno proto-thema skai-gr to-vima-politics newsit sigmalive tportal dnevnik-hr dnevnik-ba tengrinews
  gazeta-uz point-md news-am aravot-en trend-az akipress cumhuriyet sabah en-son-haber mynet jerusalem-post
  hespress jordan-zad punch-ng standard-ke-business nairobi-wire nyasa-times the-point-gm tumfweko tsa-dz
  algerie360 leaders-tn senego leral madagascar-tribune guineenews tamtaminfo lexpress-mu bbc-africa
  el-colombiano el-nacional-ve la-nacion-cr plaza-publica jamaica-gleaner barbados-today kaieteur-news
  haiti-libre bbc-india livedoor-world asahi bridge-jp xinhua-world xinhua-china ecns okezone the-star-my
  sanook-crime vnexpress-business nz-herald otago-daily-times nz-standard solomon-times tahiti-infos marketwatch
  nyt-business ars-technica techcrunch slashdot stratechery bbc-science
`
  .trim()
  .split(/\s+/);

/** The countries of the catalogue by world region. */
const regions: Readonly<Record<string, string>> = {
  Africa: "DZ GM GN KE MA MG MU MW NE NG SN TN ZA ZM",
  Asia: "AZ BD CN HK ID IN JP KG KR KZ MV MY PH PK TH UZ VN",
  Europe: "AM AT BA BE BG CH CY CZ DE ES FR GB GR HR HU IE IM IT LV MD NL PL PT RO RU SE SM UA",
  "Latin America and Caribbean": "AR BB BO BR CL CO CR CU EC GT GY HT JM KY MX PE SR UY VE",
  "Middle East": "AE IL IR JO QA SA TR YE",
  "North America": "CA US",
  Oceania: "AU NZ PF SB",
};

/** The languages that have a digest. */
const knownLanguages = "ar bg cs de el en es fa fr hi hr hu id it ja ko nl pl pt ro ru sv th tr uk vi zh".split(" ");

/** Categories with a single English feed, which are the first to need more feeds. */
const thinCategories = [
  "full/layoffs",
  "tech/unicorns",
  "tech/accelerators",
  "tech/layoffs",
  "tech/finance",
  "tech/ipo",
  "tech/producthunt",
  "finance/bonds",
  "finance/ipo",
  "finance/institutional",
  "commodity/gold-silver",
  "commodity/critical-minerals",
  "commodity/base-metals",
  "commodity/mining-companies",
  "commodity/commodity-regulation",
  "commodity/finance",
];

/** Hosts that search other publishers' articles, or that generate feeds from other publishers' pages. */
const PROXY =
  /(?:^|\.)(?:news\.google|bing|duckduckgo|feedspot|wn|rsshub|rss|rssbridge|rss-bridge|fetchrss|feed43|politepol|morss|feedly|inoreader|kill-the-newsletter|rss2json)\.[a-z]+$/;
const SEARCH = /[?&](?:q|query|search|s|keywords?)=|\/search\b/i;

/** Pages that document an address, by feed id. */
const documentedFeeds = Object.fromEntries(
  feedFile.filter(({ documented }) => documented !== "").map(({ feed, documented }) => [feed.id, documented]),
);

const hostOf = (url: string): string => new URL(url).hostname;
const ownerOf = (url: string): string => hostOf(url).split(".").slice(-2).join(".");
const repeated = (texts: readonly string[]): readonly string[] =>
  texts.filter((text, index) => texts.indexOf(text) !== index);
const idsWhere = (isWrong: (feed: (typeof feedCatalogue)[number]) => boolean): readonly string[] =>
  feedCatalogue.filter(isWrong).map(({ id }) => id);

/** The number of English feeds by variant/category. */
const counts = new Map(
  (Object.keys(digestVariants) as DigestVariant[]).flatMap((variant) =>
    [...feedsFor(feedCatalogue, variant, "en")].map(([category, feeds]) => [`${variant}/${category}`, feeds.length]),
  ),
);
const categoriesWith = (count: number): readonly string[] =>
  [...counts].filter(([, feeds]) => feeds === count).map(([name]) => name);

test("the catalogue holds at least 230 feeds", () => {
  expect(feedCatalogue.length).toBeGreaterThanOrEqual(230);
});

test("every row matches the schema and has the tier that the rule assigns to its kind of publisher", () => {
  const rows = feedCatalogue.map(({ tier, tierSetBy, ...row }) => ({ row, tier, tierSetBy }));
  expect(rows.flatMap(({ row }) => problemsOfRow(row).map((problem) => `${row.id}: ${problem}`))).toEqual([]);
  for (const { row, tier, tierSetBy } of rows) expect([tier, tierSetBy]).toEqual([tierOf(row.kind), "rule"]);
});

test("no two feeds share an id or a normalised address", () => {
  const links = feedCatalogue.map(({ url }) => canonicalLink(url) ?? "");
  expect(links).not.toContain("");
  expect(repeated(feedCatalogue.map(({ id }) => id))).toEqual([]);
  expect(repeated(links.map((link) => link.replace(/^https?:\/\/(?:www\.)?/, "").replace(/\/$/, "")))).toEqual([]);
});

test("all feeds of a publisher in one country are in one family", () => {
  const families = new Map<string, Set<string>>();
  // The key includes the country, because papers of different countries may share a name.
  for (const { publisher, country, family } of feedCatalogue) {
    const key = `${publisher} (${country})`;
    families.set(key, (families.get(key) ?? new Set()).add(family));
  }
  expect([...families].filter(([, names]) => names.size > 1).map(([key]) => key)).toEqual([]);
});

test("feeds of one host are in one family", () => {
  // This host serves the feeds of many publishers.
  const shared = new Set(["feeds.feedburner.com"]);
  const families = new Map<string, Set<string>>();
  for (const { url, family } of feedCatalogue) {
    const host = hostOf(url);
    if (!shared.has(host)) families.set(host, (families.get(host) ?? new Set()).add(family));
  }
  expect([...families].filter(([, names]) => names.size > 1).map(([host]) => host)).toEqual([]);
});

test("an address uses https, unless the reference list has only an http address", () => {
  expect(idsWhere(({ url }) => !url.startsWith("https://"))).toEqual(plainHttp);
  expect(idsWhere(({ homepage }) => !homepage.startsWith("https://"))).toEqual([]);
});

test("no feed comes from a search engine or a feed generator", () => {
  expect(idsWhere(({ url }) => PROXY.test(hostOf(url)) || SEARCH.test(url))).toEqual([]);
});

test("every risk ground is used and states a reason", () => {
  const used = new Set(feedCatalogue.map(({ risk }) => risk.reason));
  for (const { reason } of Object.values(riskGrounds)) expect(used).toContain(reason);
  expect(idsWhere(({ risk }) => risk.reason === undefined)).toEqual([]);
  expect(idsWhere(({ risk }) => (risk.profile === "unknown") !== (risk.reason === "it has not been reviewed"))).toEqual(
    [],
  );
});

test("every category of every variant has an English feed, and only the listed thin categories have just one", () => {
  expect(categoriesWith(0)).toEqual([]);
  expect(categoriesWith(1)).toEqual(thinCategories);
});

test("the catalogue has at least 14 languages with two feeds each, and every feed is in a language with a digest", () => {
  expect(digestLanguages.length).toBeGreaterThanOrEqual(14);
  expect([...digestLanguages]).toEqual(knownLanguages);
  expect(idsWhere(({ language }) => language !== undefined && !digestLanguages.includes(language))).toEqual([]);
});

test("the catalogue covers at least 50 countries, with outlets of at least five families per world region", () => {
  const countries = [...new Set(feedCatalogue.map(({ country }) => country))].sort();
  expect(countries.length).toBeGreaterThanOrEqual(50);
  const placed = Object.values(regions).flatMap((codes) => codes.split(" "));
  expect(placed.sort()).toEqual(countries);
  for (const codes of Object.values(regions)) {
    const outlets = feedCatalogue.filter(
      ({ country, kind }) => codes.split(" ").includes(country) && ["wire", "major", "other"].includes(kind),
    );
    expect(new Set(outlets.map(({ family }) => family)).size).toBeGreaterThanOrEqual(5);
  }
});

test("a documented address belongs to a listed feed, uses https and is documented on a page of the publisher", () => {
  const byId = new Map(feedCatalogue.map((feed) => [feed.id, feed]));
  for (const [id, page] of Object.entries(documentedFeeds)) {
    const feed = byId.get(id);
    expect(feed, id).toBeDefined();
    expect(feed?.url, id).toMatch(/^https:/);
    expect(page, id).toMatch(/^https:\/\//);
    expect([feed?.url ?? "", feed?.homepage ?? ""].map(ownerOf), id).toContain(ownerOf(page));
  }
  expect(Object.keys(documentedFeeds).length).toBeLessThanOrEqual(feedCatalogue.length * DOCUMENTED_RATIO_MAX);
});

const title = referenceAbsent ? "the reference (skipped: ../shared/reference/feeds is not here)" : "the reference";

describe.skipIf(referenceAbsent)(title, () => {
  const [byCountry = "", byTopic = ""] = referenceAbsent ? [] : files.map((file) => readFileSync(file, "utf8"));
  const referenceUrls = new Set([
    ...Object.values(referenceAbsent ? {} : (JSON.parse(byCountry) as Record<string, Record<string, string>[]>))
      .flat()
      .map((row) => row["publication_rss_feed_uri"] ?? ""),
    ...(parse(byTopic, { columns: true }) as Record<string, string>[]).map((row) => row["url"] ?? ""),
  ]);

  test("the reference list contains every address without a documenting page in the catalogue", () => {
    expect(referenceUrls.size).toBeGreaterThan(1_000);
    expect(idsWhere(({ id, url }) => !referenceUrls.has(url) && !Object.hasOwn(documentedFeeds, id))).toEqual([]);
  });

  test("the catalogue has a documenting page only for addresses that the reference list lacks", () => {
    expect(idsWhere(({ id, url }) => referenceUrls.has(url) && Object.hasOwn(documentedFeeds, id))).toEqual([]);
  });

  test("the reference has no https version of a feed's http address", () => {
    expect(idsWhere(({ url }) => url.startsWith("http:") && referenceUrls.has(url.replace("http:", "https:")))).toEqual(
      [],
    );
  });
});
