import { expect, test } from "vitest";
import { aliasedCompany, publishableKeys } from "../testing/publishable-matches.js";
import { companyMatcher } from "./company-matcher.js";

const matcher = companyMatcher([
  aliasedCompany("Quorvane Inc.", "Quorvane"),
  aliasedCompany("Brio Delivery Inc.", "BrioDash"),
  aliasedCompany("Netflix, Inc.", "Netflix"),
  aliasedCompany("Pine Cove Foods plc", "Pine Cove"),
  aliasedCompany("Rio Sereno S.A.", "Rio Sereno"),
  aliasedCompany("QRV Broadcasting plc", "QRV"),
  aliasedCompany("Halifax Holdings plc", "Halifax"),
  aliasedCompany("Orange S.A.", "Orange"),
  aliasedCompany("Baxter International Inc.", "Baxter"),
  aliasedCompany("ПАО Квантор", "Квантор"),
  aliasedCompany("한빛전자", "한빛"),
  aliasedCompany("美云集团有限公司", "美云"),
]);

const surely = (title: string): readonly string[] => publishableKeys(matcher, title);

test.each<[title: string, name: string, reason: string]>([
  ["Quorvane cuts its profit forecast", "Quorvane", "the title reports an event"],
  ["Locals queue for hours outside Quorvane pharmacies", "Quorvane", "the company's shops follow its name"],
  ["Quorvane baut 300 Stellen ab", "Quorvane", "a business word in another language"],
  ["Quorvane Corp. posts record profit", "Quorvane", "another legal form of the same country"],
  ["BrioDash riders get rain coats", "BrioDash", "capitals within the word"],
  ["Netflix evenings are back", "Netflix", "a name without another meaning"],
  ["Pine Cove shares fall after profit warning", "Pine Cove", "shares and a profit warning, which no place has"],
  ["QRV to cut 300 jobs after profit warning", "QRV", "an acronym with signs of a company"],
  ["Baxter plant in Ohio floods", "Baxter", "a family name before a plant"],
  ["Orange wins contract with Dutch rail operator", "Orange", "an ordinary word in a title that reports an event"],
  ["Акции «Квантора» упали до минимума", "Квантор", "quotation marks, as Russian titles use for organisations"],
  ["Orange Names New CEO", "Orange", "a short title with capitals throughout"],
  ["Orange Unveils New tvBox At Event", "Orange", "a title with capitals throughout, except in a product name"],
  ["한빛 노조 파업 돌입", "한빛", "a Korean business word"],
  ["美云拟回购百亿元股份", "美云", "the beginning of a Chinese title"],
  ["欧盟对美云展开反补贴调查", "美云", "a Chinese name after a particle"],
])("%j names %s: %s", (title, name) => {
  expect(surely(title)).toEqual([name]);
});

test.each<[title: string, reason: string]>([
  ["Quorvane pairs nest on old chimneys", "an unknown word without a sign of a company"],
  ["Quorvane Society sells its hall", "the beginning of a longer name, whatever the title reports"],
  ["Quorvane AG posts record profit", "the legal form of another country"],
  ["Spaniel named Quorvane retires from the profit chase", "a name given to an animal"],
  ["Monks open Quorvane centre", "a word from a field other than business"],
  ["Pine Cove library closes for repairs", "two words that could name a place"],
  ["Chuvas fecham estrada em Rio Sereno", "two Spanish or Portuguese words that could name a place"],
  ["Teachers' union QRV votes on pay deal", "an acronym after a kind of organisation that is not a company"],
  ["Ferries run again from Halifax to Bergen", "a place of departure"],
  ["She left Netflix to keep bees in Wales", "a former employer"],
  ["After nine years at Netflix, she opens a bakery", "years at a former employer"],
  ["'Netflix moment' for village libraries", "a figure of speech"],
  ["Start-up pitches Netflix for sermons", "a model for something else"],
  ["Orange growers pray for rain", "an ordinary word before a noun"],
  ["Квантор измерили в лаборатории", "a Russian noun without quotation marks"],
  ["한빛 축제 열려", "a Korean title without a business word"],
  ["最美云海今日开放", "characters that belong to other words"],
])("no company is certain enough for publication in %j: %s", (title) => {
  expect(surely(title)).toEqual([]);
});

test("a name without enough evidence is a match, but below the floor for publication", () => {
  expect(matcher.match("Quorvane pairs nest on old chimneys", "title")).toEqual([
    { companyKey: "Quorvane", attribution: 0.6, matchedBy: "name in title" },
  ]);
});
