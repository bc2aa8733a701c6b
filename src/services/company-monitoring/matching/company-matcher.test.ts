import { expect, test } from "vitest";
import { floors } from "../admission/decision.js";
import { publishableKeys } from "../testing/publishable-matches.js";
import { companyIndex, type SearchedCompany } from "./company-index.js";
import { type CompanyMatch, companyMatcher, type MatchedText, matcherOf } from "./company-matcher.js";

const company = (key: string, name: string, more: Partial<SearchedCompany> = {}): SearchedCompany => ({
  key,
  name,
  aliases: [],
  domains: [],
  identifiers: [],
  domicileCountry: "US",
  ...more,
});

const matcher = companyMatcher([
  company("apple", "Apple Inc.", { domains: ["apple.com"], identifiers: ["CIK:0000320193", "TICKER:AAPL"] }),
  company("target", "Target Corporation"),
  company("ford", "Ford Motor Company", { aliases: ["Ford"], identifiers: ["NYSE: F"] }),
  company("amazon", "Amazon.com, Inc.", { aliases: ["Amazon"] }),
  company("jnj", "Johnson & Johnson", { aliases: ["J&J"] }),
  company("att", "AT&T Inc."),
  company("mcd", "McDonald's Corporation", { aliases: ["McDonald's"] }),
  company("meta", "Meta Platforms, Inc.", { aliases: ["Meta", "Facebook"] }),
  company("ups", "United Parcel Service, Inc.", { aliases: ["UPS"] }),
  company("loreal", "L'Oréal S.A.", { domicileCountry: "FR" }),
  company("reuters", "Thomson Reuters Corporation", { aliases: ["Reuters"], domicileCountry: "CA" }),
  company("toyota", "Toyota Motor Corporation", { domicileCountry: "JP" }),
  company("delta-air", "Delta Air Lines, Inc.", { aliases: ["Delta"] }),
  company("delta-tw", "Delta Electronics", { aliases: ["Delta"], domicileCountry: "TW" }),
  company("bae", "BAE Systems plc", { identifiers: ["LEI:8SVCSVKSGDWMW2QHOH83"] }),
  company("huawei", "华为技术有限公司", { aliases: ["华为"], domicileCountry: "CN" }),
]);

const surely = (text: string, kind: MatchedText = "title"): readonly string[] =>
  [...publishableKeys(matcher, text, kind)].sort();

test.each<[title: string, keys: string[]]>([
  ["Apple unveils a cheaper phone", ["apple"]],
  ["Regulators fine Apple over its app store", ["apple"]],
  ["Apple Inc. settles patent case", ["apple"]],
  ["Phone maker (NASDAQ: AAPL) beats estimates", ["apple"]],
  ["Why $AAPL is falling", ["apple"]],
  ["Store at apple.com is down", ["apple"]],
  ["Target to cut 1,800 corporate jobs", ["target"]],
  ["Target Corp. names new chief executive", ["target"]],
  ["Strike at Ford ends after six weeks", ["ford"]],
  ["AMAZON WORKERS STRIKE IN GERMANY", ["amazon"]],
  ["J&J wins approval for bladder cancer drug", ["jnj"]],
  ["Johnson and Johnson recalls sunscreen", ["jnj"]],
  ["AT&T says data of 73 million customers leaked", ["att"]],
  ["McDonalds sued over E. coli outbreak", ["mcd"]],
  ["McDonald’s to close 200 outlets", ["mcd"]],
  ["Zuckerberg's Meta to lay off 5 % of staff", ["meta"]],
  ["UPS drivers vote to strike", ["ups"]],
  ["L'Oreal buys stake in Galderma", ["loreal"]],
  ["Toyota halts 14 plants after system fault", ["toyota"]],
  ["华为发布新手机", ["huawei"]],
])("the company is found in %j", (title, keys) => {
  expect(surely(title)).toEqual(keys);
});

test.each([
  "Apple Bank opens a branch in Queens",
  "Apple harvest falls after frost",
  "An apple a day keeps the doctor away",
  "Inflation stays above target",
  "Doug Ford wins a third term",
  "Harrison Ford honoured in Cannes",
  "Amazon rainforest drought reaches a record",
  "Strike ends at carmaker - Reuters",
  "Bank to close 40 branches, Reuters reports",
  "Ups and downs of a wild season",
  "Look at T cells",
  "Meta-analysis finds no benefit",
  "Fire on the big apple's waterfront",
  "Delta cancels flights",
])("no company is found in %j", (title) => {
  expect(surely(title)).toEqual([]);
});

const risky = companyMatcher([
  company("heron", "Heron Maritime AS", { aliases: ["Heron"] }),
  company("orrin", "Orrin Robotics Inc.", { aliases: ["Orrin"] }),
  company("bosch", "Robert Bosch GmbH", { aliases: ["Bosch"], domicileCountry: "DE" }),
  company("halifax", "Halifax Holdings plc", { aliases: ["Halifax"] }),
  company("travelers", "The Travelers Companies, Inc.", { aliases: ["Travelers"] }),
  company("omega", "Omega Group"),
  company("chipmaker", "Nvidia Corporation", { aliases: ["Nvidia"], identifiers: ["TICKER:NVDA"] }),
  company("acronym", "DNX Bank ASA", { aliases: ["DNX"], domicileCountry: "NO" }),
  company("kiro", "Kiro Motors", { aliases: ["Kiro"] }),
  company("ram", "RAM Industries plc", { aliases: ["RAM"] }),
  company("beacon", "Beacon Holdings Inc.", { aliases: ["Beacon"] }),
  company("exchange", "Nasdaq, Inc."),
  company("publisher", "Thomson Reuters Corporation", { aliases: ["Reuters"] }),
  company("defence", "RTX Corporation", { aliases: ["RTX"] }),
  company("hvac", "Carrier Global Corporation", { aliases: ["Carrier"], identifiers: ["NYSE: CARR"] }),
  company("tractors", "Deere & Company", { aliases: ["Deere"] }),
]);

test.each<[title: string, companies: string, reason: string]>([
  ["Heron chicks hatch in Kent", "no company", "an animal"],
  ["Heron Maritime orders tankers", "heron", "the whole name"],
  ["Orrin greyhound finds a home", "no company", "part of a name before a noun"],
  ["Orrin raises 40 million", "orrin", "part of a name before a sign of a company"],
  ["Hieronymus Bosch show breaks records", "no company", "a person"],
  ["Bosch wins the chess title", "no company", "a verb of persons"],
  ["Bosch to cut 13,000 jobs", "bosch", "a verb of companies"],
  ["Man hurt in Halifax", "no company", "a place"],
  ["Halifax, Nova Scotia, braces for hurricane", "no company", "a place with its region"],
  ["Halifax profits rise as lending grows", "halifax", "a sign of a company that no place has"],
  ["Travelers stranded as storm closes airports", "no company", "a plural"],
  ["Travelers posts quarterly profit", "travelers", "a plural with signs of a company"],
  ["Omega 3 no help against flu", "no company", "a word with a number"],
  ["Nvidia's RTX 5090 sells out", "chipmaker", "a product of another company"],
  ["Carrier (NYSE: T) adds subscribers", "no company", "a namesake with another ticker"],
  ["Carrier (NYSE: CARR) raises outlook", "hvac", "the ticker of the company"],
  ["Fans fill the Bosch Stadium", "no company", "a stadium"],
  ["Fans fill the Nvidia Bank Arena", "no company", "a stadium with two words"],
  ["Chemist Oskar Nvidia honoured", "no company", "an unknown first name"],
  ["Bosch river floods", "no company", "a place name with a noun in small letters"],
  ["Decider in State of Omega sold out", "no company", "the end of a longer name"],
  ["Heron Hospitality wins contract", "no company", "the beginning of a longer name"],
  ["Bosch scores winner as Rovers lose", "no company", "sport in English, not business in another language"],
  ["Heron and Deere extend cooperation", "heron and tractors", "two doubtful names in a list"],
  ["A Nvidia for farmers: start-up lends seeds", "no company", "a comparison with an article"],
  ["'Nvidia for farmers' wins rural prize", "no company", "a comparison in quotation marks"],
  ["Once a Nvidia cashier, now a senator", "no company", "a former employer"],
  ["Nvidia veteran opens pottery school", "no company", "a former employer without a verb"],
  ["Nvidia-wearing monks walk to Rome", "no company", "a product worn"],
  ["Nvidia sued over data centre noise", "chipmaker", "the company itself"],
  ["City hold Villa at the Nvidia", "no company", "a sponsored ground"],
  ["Dr. Nvidia honoured for cholera work", "no company", "a person with a title"],
  ["Da Nvidia, the rapper, dies at 31", "no company", "a family name with a particle"],
  ["Nvidia Chorale sings Bach", "no company", "a longer name without a sign of a company"],
  ["Nvidia Blackwell sales surge", "chipmaker", "a product with a sign of a company"],
  ["Nvidia 04 sign Danish keeper", "no company", "a football club"],
  ["DNX teachers vote on pay deal", "no company", "an acronym of another organisation"],
  ["DNX raises outlook", "acronym", "an acronym with a sign of a company"],
  ["DNX kutter boliglånsrenten", "acronym", "an acronym as the subject in another language"],
  ["Axe hoard dated to 900 DNX", "no company", "a unit"],
  ["Soldier listed as KIRO in 1951 comes home", "no company", "a name spelled like an acronym"],
  ["Lassana Kiró convoqué", "no company", "a person with an accent"],
  ["Kiro opens plant in Ohio", "kiro", "the name as the company writes it"],
  ["Ram beats dog on flat first day", "no company", "a word without the company's capitals"],
  ["RAM books charge on Canadian deal", "ram", "a word in the company's capitals"],
  ["Beacon plunges into ravine", "no company", "a verb of things"],
  ["Beacon cuts forecast", "beacon", "a verb of companies"],
  [
    "Rival Beacon Pathways reports success",
    "no company",
    "the beginning of a longer name, despite a sign of a company",
  ],
  ["Nasdaq snaps six-day rise", "no company", "an index of shares"],
  ["Nasdaq to buy risk software maker", "exchange", "the company that runs the index"],
  ["Toronto explorer (TSXV: NVDA) hits nickel", "no company", "a ticker of another country"],
  ["Chip stock (NASDAQ: NVDA) slides", "chipmaker", "a ticker of an exchange of the United States"],
  ["Union of doctors (NVDA) rejects pay offer", "no company", "an abbreviation in brackets"],
  ["Graphics chips fly off shelves, shares soar (NVDA)", "chipmaker", "a ticker in brackets in a title on business"],
  ["Flood pictures (Photo: Reuters)", "no company", "the credit of a photograph"],
  ["Council tax to rise by 5% - Reuters News UK", "no company", "an edition of a publisher"],
])("%j names %s: %s", (title, companies) => {
  expect([...publishableKeys(risky, title)].sort()).toEqual(companies === "no company" ? [] : companies.split(" and "));
});

test("a filing is attributed by the filer's number or, if no company has the number, by the filer's full name", () => {
  const merck = companyMatcher([
    company("us", "Merck & Co., Inc.", { identifiers: ["CIK:310158"] }),
    company("de", "Merck KGaA"),
    company("short", "BT Group plc", { aliases: ["BT"] }),
  ]);
  const keysOf = (title: string) => merck.match(title, "filing").map(({ companyKey }) => companyKey);
  expect(keysOf("8-K - Merck & Co., Inc. (0000310158) (Filer)")).toEqual(["us"]);
  expect(keysOf("8-K - Merck KGaA (0000000009) (Filer)")).toEqual(["de"]);
  expect(keysOf("8-K - BT Brands, Inc. (0001718224) (Filer)")).toEqual([]);
});

test("a match by a name that two companies share stays below the publication floor for both companies", () => {
  expect(
    matcher.match("Delta cancels flights", "title").map(({ companyKey, attribution }) => [companyKey, attribution]),
  ).toEqual([
    ["delta-air", 0.6],
    ["delta-tw", 0.6],
  ]);
  expect(surely("Delta Air Lines cancels flights")).toEqual(["delta-air"]);
});

test("a portfolio's matches do not depend on the companies of other portfolios", () => {
  const portfolios = [
    [company("a-delta", "Delta"), company("a-apple", "Apple Inc.")],
    [company("b-delta", "Delta"), company("b-air", "Delta Air Lines, Inc."), company("b-ford", "Ford Motor Company")],
    [company("c-delta", "Delta"), company("c-electronics", "Delta Electronics", { aliases: ["Delta"] })],
  ];
  const together = matcherOf(portfolios.map(companyIndex));
  const keys = new Set<string>();
  for (const text of [
    "Delta cancels flights",
    "Shares of Delta rise",
    "Delta Air Lines cancels flights",
    "Apple and Ford Motor sue Delta",
    "Apple and Delta Electronics settle patent case",
  ]) {
    const alone = portfolios.flatMap((own) => companyMatcher(own).match(text, "title"));
    const byKey = (a: CompanyMatch, b: CompanyMatch): number => (a.companyKey < b.companyKey ? -1 : 1);
    expect([...together.match(text, "title")].sort(byKey), text).toEqual(alone.sort(byKey));
    for (const { companyKey, attribution } of alone) if (attribution >= floors.attribution) keys.add(companyKey);
  }
  expect([...keys]).toEqual(expect.arrayContaining(["a-delta", "b-delta", "b-air"]));
});

test("a filing is attributed to the filer whose number it states, whatever other names it contains", () => {
  expect(matcher.match("8-K - APPLE INC (0000320193) (Filer)", "filing")).toEqual([
    { companyKey: "apple", attribution: 1, matchedBy: "CIK 320193" },
  ]);
  expect(surely("8-K - APPLE HOSPITALITY REIT, INC. (0001418121) (Filer)", "filing")).toEqual([]);
});

test("an LEI is recognised, and a name found only in the text, not the title, stays below the floor for publication", () => {
  expect(surely("Fine for 8SVCSVKSGDWMW2QHOH83 announced")).toEqual(["bae"]);
  expect(matcher.match("The contract goes to BAE Systems.", "text")).toEqual([
    { companyKey: "bae", attribution: 0.85, matchedBy: "name in text" },
  ]);
});

test.each(["title", "text"] as const)("a match by domain states whether a title or text has the domain: %s", (kind) => {
  const byDomain = companyMatcher([company("alphabet", "Alphabet Inc.", { domains: ["abc.xyz"] })]);
  expect(byDomain.match("The page abc.xyz is down", kind)).toMatchObject([{ matchedBy: `domain in ${kind}` }]);
});

test("hostile names and texts are matched literally or not at all", () => {
  const names = [
    "",
    "*",
    "#",
    ".*",
    "<script>alert(1)</script>",
    "__proto__",
    "constructor",
    "\u0000\u202e",
    "a ".repeat(5_000),
  ];
  const hostile = companyMatcher(
    names.map((name, at) => company(String(at), name, { aliases: [name], identifiers: [name], domains: [name] })),
  );
  for (const text of [...names, "x".repeat(10_000), "$".repeat(10_000), "(NASDAQ: ".repeat(1_000)]) {
    for (const kind of ["title", "text", "filing"] as const) expect(() => hostile.match(text, kind)).not.toThrow();
  }
  expect(hostile.match("Profit rises 5 % at a constructor of ships", "title")).toEqual([]);
});
