import fc from "fast-check";
import { expect, test } from "vitest";
import { randomRuns } from "../../../../../test/support/effort.js";
import {
  type ClassificationRow,
  labelledClassification,
  tuningClassification,
  tuningSets,
} from "../../../../../test/support/labelled.js";
import { classifyTitle } from "./threat-class.js";
import { threatCategories, threatLevels } from "./threat-classes.js";

const answer = (title: string, language?: string): string => {
  const { level, category } = classifyTitle(title, language);
  return `${level} ${category}`;
};

test.each<[expected: string, title: string]>([
  ["critical conflict", "Army of the north invades its neighbour"],
  ["high conflict", "Air strike kills seven in border town"],
  ["high terrorism", "Suicide bomber kills 12 at mosque"],
  ["critical disaster", "Quake kills 1,200 in mountain province"],
  ["high disaster", "Typhoon makes landfall in the north"],
  ["medium disaster", "Flood forces evacuation of valley"],
  ["medium cyber", "Ransomware hits brewer"],
  ["medium diplomatic", "Norway expels two diplomats"],
  ["low diplomatic", "Foreign ministers meet for talks"],
  ["low economic", "Central bank holds interest rates"],
  ["low crime", "Court jails man for murder"],
  ["info tech", "Review: the thinnest laptop of the year"],
  ["info general", "Striker scores twice in cup final"],
])("a title is classified as %s: %s", (expected, title) => {
  expect(answer(title)).toBe(expected);
});

test.each<[rule: string, expected: string, title: string]>([
  ["about a past event", "info disaster", "Twenty years after the tsunami, a village rebuilds"],
  ["about a past event", "info conflict", "On this day: the battle that ended a war"],
  ["about a work of art", "info general", "New film tells of the siege of a city"],
  ["about sport", "info general", "Late strike sinks champions as keeper has a meltdown"],
  ["a figure of speech", "info economic", "Supermarkets in price war over bread"],
  ["a denial", "low military", "Army denies coup rumours"],
  ["about a drill", "low disaster", "Tsunami drill empties beaches"],
  ["about a false alarm", "low cyber", "Bank says hacking alert was false alarm"],
  ["about a harmless event", "medium infrastructure", "No injuries after train derails"],
  ["about government business", "low terrorism", "Parliament passes bill on terrorism"],
  ["about a trial", "low crime", "Trial of accused bomber opens"],
  ["playful", "info general", "Gardeners declare war on slugs"],
  ["about a drill", "low terrorism", "Commandos free hostages in exercise"],
  ["about statistics", "low health", "Annual report counts 900 measles deaths in a decade"],
  ["about lawmaking", "low protest", "Senate passes bill on demonstrations"],
  ["about a recall of goods", "medium health", "Dairy recalls baby milk over listeria"],
])("a title that is %s is classified as %s: %s", (_rule, expected, title) => {
  expect(answer(title)).toBe(expected);
});

test.each([
  "Ambassador of goodwill visits school",
  "Killer heels are back",
  "Social club wins award",
  "Warm weekend ahead for gardeners",
])("an alarming word inside another word raises no alarm: %s", (title) => {
  expect(["info", "low"]).toContain(classifyTitle(title).level);
});

test.each<[expected: string, title: string]>([
  ["high terrorism", "Blast in chapel leaves 12 worshippers dead"],
  ["medium cyber", "Ransom note appears on brewery's screens"],
  ["critical military", "Colonel names himself head of state"],
  ["medium tech", "Payments app fails on payday"],
  ["info general", "Colonel opens museum"],
  ["critical environmental", "Fire at chemical plant forces evacuation of 2,000"],
  ["medium cyber", "Ransomware blamed for power cut"],
  ["medium protest", "Nurses announce strike for Monday"],
  ["medium diplomatic", "Talks on river stall again"],
  ["high infrastructure", "Power cut hits whole island"],
  ["high general", "Fire in theatre kills nine"],
])("a combination of words is classified as %s: %s", (expected, title) => {
  expect(answer(title)).toBe(expected);
});

test.each<[language: string, expected: string, title: string]>([
  ["es", "high disaster", "Terremoto deja doce muertos en la sierra"],
  ["fr", "medium protest", "Grève générale : des milliers de manifestants"],
  ["de", "low economic", "Zentralbank lässt Leitzins unverändert"],
  ["pt-BR", "medium crime", "Polícia prende quadrilha com cocaína"],
  ["ja", "low general", "首相が記者会見を開いた"],
  ["he", "info general", "ראש הממשלה כינס מסיבת עיתונאים"],
  ["", "medium protest", "Protest march blocks roads"],
])("a title with language %j is classified as %s: %s", (language, expected, title) => {
  expect(answer(title, language)).toBe(expected);
});

// The word lists of these languages hold only core words, such as those for deaths, attacks and public business.
test.each<[language: string, expected: string, title: string]>([
  ["it", "high disaster", "Terremoto in Calabria, almeno 12 morti"],
  ["it", "low economic", "La Bce lascia invariati i tassi"],
  ["nl", "high terrorism", "Zeker 9 doden bij aanslag op kerk"],
  ["nl", "low general", "Kabinet wil verkiezingen in maart"],
  ["pl", "high disaster", "Trzęsienie ziemi w Albanii: 14 ofiar śmiertelnych"],
  ["pl", "medium protest", "Strajk kolejarzy w całym kraju"],
  ["ru", "critical disaster", "При землетрясении погибли 120 человек"],
  ["ru", "high conflict", "В результате обстрела города погибли шесть мирных жителей"],
  ["uk", "high conflict", "Ракетний удар по Харкову: загинули 7 людей"],
  ["uk", "low diplomatic", "Переговори тривають другий день"],
  ["tr", "high disaster", "Depremde 30 kişi hayatını kaybetti"],
  ["tr", "medium crime", "Dolandırıcılık operasyonunda 20 gözaltı"],
  ["ar", "high conflict", "12 قتيلا في غارة على مستشفى"],
  ["ar", "low economic", "البنك المركزي يثبت أسعار الفائدة"],
  ["fa", "high disaster", "زلزله در کرمان ۲۰ کشته: 20 کشته"],
  ["zh", "critical disaster", "地震造成120人死亡"],
  ["zh", "low diplomatic", "两国外长举行会谈"],
  ["ja", "high infrastructure", "バス転覆で8人死亡"],
  ["ja", "low economic", "日銀、金利を据え置き"],
  ["ko", "high disaster", "지진으로 10명 사망"],
  ["ko", "low general", "국회, 예산안 처리"],
  ["sv", "high terrorism", "Sju döda i terrordåd, 7 dödade"],
  ["el", "high disaster", "Σεισμός στην Κρήτη: 9 νεκροί"],
  ["ro", "high infrastructure", "Accident feroviar: 6 morți"],
  ["hu", "medium protest", "Tüntetés a parlament előtt"],
  ["cs", "high disaster", "Povodně v Rakousku: 8 mrtvých"],
  ["bg", "medium protest", "Протест на миньорите в София"],
  ["hr", "medium disaster", "Potres kod Petrinje"],
  ["hi", "high disaster", "भूकंप में 20 लोगों की मौत"],
  ["id", "high infrastructure", "Kapal tenggelam, 15 orang tewas"],
  ["vi", "high disaster", "Động đất làm 30 người thiệt mạng"],
  ["th", "high disaster", "น้ำท่วม เสียชีวิต 12 ราย"],
])("a title with core words in %s is classified as %s: %s", (language, expected, title) => {
  expect(answer(title, language)).toBe(expected);
});

test("harmless titles raise no alarm in languages whose word lists hold only core words", () => {
  for (const [language, title] of [
    ["tr", "Hava güzel oldu"],
    ["it", "La nuova stagione del teatro"],
    ["zh", "新书发布会在北京举行"],
    ["ru", "Новая выставка открылась в музее"],
  ] as const)
    expect(["info", "low"]).toContain(classifyTitle(title, language).level);
});

test("the reason states the rule that set the level, the toll and the deciding words", () => {
  expect(classifyTitle("Quake kills 1,200 in mountain province").reason).toBe(
    'a hundred dead; toll 1200; quake "quake"; death "kills"',
  );
});

const reasonWith = (number: string): string => classifyTitle(`Murder ${number} trial: killed by ${number}`).reason;

test("the toll is a plain number near a word for death", () => {
  expect(reasonWith("40")).toContain("toll 40");
});

test.each(["16-year-old", "$40", "$40m", "2018", "40 days"])("the toll excludes %s", (number) => {
  expect(reasonWith(number)).not.toContain("toll");
});

test("any text in any language yields a valid level, category and confidence", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("killed", "1,200", "no", "WHO", "coup", "film", "’s", "%"),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 12 }),
      fc.constantFrom("en", "es", "fr", "de", "pt", "zh", "", "constructor"),
      (pieces, language) => {
        const { level, category, confidence } = classifyTitle(pieces.join(" "), language);
        expect(threatLevels).toContain(level);
        expect(threatCategories).toContain(category);
        expect(confidence).toBeGreaterThanOrEqual(0);
        expect(confidence).toBeLessThanOrEqual(1);
      },
    ),
    { numRuns: randomRuns(300) },
  );
});

test("curly quotes and extra white space do not change the classification", () => {
  const plain = `Police 'rule out' terrorism after bomb kills 1,200 in city's centre`;
  expect(classifyTitle("  Police ‘rule out’\t terrorism\n after bomb  kills 1,200 in\u00a0city’s centre ")).toEqual(
    classifyTitle(plain),
  );
});

test.each(["killed ", "a", "cyber ", " ", "no ", "1", "中"])(
  "a very long title without a final question mark is classified by its start: %j repeated",
  (piece) => {
    const title = piece.repeat(100_000 / piece.length);
    expect(classifyTitle(title)).toEqual(classifyTitle(title.slice(0, 10_000)));
  },
);

function accuracy(rows: readonly ClassificationRow[]): { level: number; category: number } {
  const answers = rows.map((row) => ({ row, answer: classifyTitle(row.title, row.language) }));
  const share = (key: "level" | "category"): number =>
    answers.filter(({ row, answer }) => answer[key] === row[key]).length / rows.length;
  return { level: share("level"), category: share("category") };
}

test.each([
  ["open", labelledClassification().tuning, 0.95],
  ...tuningSets.map((name) => [name, tuningClassification(name), 0.9] as const),
] as const)(
  "classification of the set %s reaches the required accuracy for levels and for categories",
  (_set, rows, least) => {
    const { level, category } = accuracy(rows);
    expect(level).toBeGreaterThanOrEqual(least);
    expect(category).toBeGreaterThanOrEqual(least);
  },
);

test("classification of the held-out headlines is at least 85 % accurate for levels and for categories", () => {
  const { level, category } = accuracy(labelledClassification().heldOut);
  expect(level).toBeGreaterThanOrEqual(0.85);
  expect(category).toBeGreaterThanOrEqual(0.85);
});
