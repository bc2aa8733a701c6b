import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clusterTitles } from "./story-clusters.js";
import { placesDiffer } from "./story-places.js";
import { type ComparedTitle, weighTitles } from "./story-similarity.js";

const HOUR = 3_600_000;
const at = Date.UTC(2026, 4, 1, 12);
const batch = (language: string, ...titles: (string | readonly [title: string, hours: number])[]): ComparedTitle[] =>
  titles.map((row, index) => {
    const [title, hours] = typeof row === "string" ? [row, 0] : row;
    return { title, language, publisher: `Publisher ${index}`, publishedAt: at + hours * HOUR };
  });

/** Other news of the day, whose common words carry little weight. */
const otherNews = batch(
  "en",
  "Army says two soldiers hurt in overnight strike",
  "Governor says port works again",
  "Officials say 12 rescued",
  "Earthquake drill held in schools across Tokyo",
  "Air strike kills two in Yemen, officials say",
  "Quake insurance costs rise",
  "Russian court jails editor",
  "Union calls strike at port over pay",
  "Governor vetoes bill, says spokesman",
  "Earthquake strikes off Tonga, no damage, officials say",
  "Russian air defence downs drones, governor says",
  "Ukraine's parliament extends mobilisation",
  "Power cut in Sumy after Russian strike, governor says",
  "Russian air raid on Ukraine's Sumy damages school",
  "Ukraine's air force says 40 drones shot down",
);
const clusterAmongNews = (titles: readonly ComparedTitle[]): readonly number[] =>
  clusterTitles([...titles, ...otherNews]).slice(0, titles.length);

describe("titles of one story get the same story number", () => {
  test("in any wording and order", () => {
    expect(
      clusterTitles(
        batch(
          "en",
          "Magnitude 7.1 earthquake strikes northern Chile, tsunami warning issued",
          ["Strong 7.1 quake hits northern Chile; tsunami alert issued", 1],
          ["Northern Chile hit by 7.1-magnitude quake", 2],
        ),
      ),
    ).toEqual([0, 0, 0]);
  });

  test("in scripts without spaces", () => {
    expect(
      clusterTitles(batch("zh", "台北捷运列车冒烟 上百名乘客疏散", "台北捷运列车冒烟停驶 疏散逾百名乘客")),
    ).toEqual([0, 0]);
  });
});

describe("different stories get different story numbers", () => {
  test("for two earthquakes on one day", () => {
    expect(
      clusterAmongNews(
        batch(
          "en",
          "Magnitude 7.1 earthquake strikes Chile, officials say",
          ["Magnitude 6.4 earthquake strikes Peru, officials say", 5],
          ["Earthquake in Chile kills three, officials say", 6],
        ),
      ),
    ).toEqual([0, 1, 0]);
  });

  test("for market reports of two days", () => {
    const [first, second] = clusterTitles(
      batch("en", "Stocks close higher as tech shares rally", ["Stocks close higher as oil prices ease", 24]),
    );
    expect(first).not.toBe(second);
  });

  test("for two central banks on one day", () => {
    const [first, second] = clusterTitles(
      batch("en", "Bank of England keeps rates unchanged at 3.75%", ["ECB keeps rates unchanged at 2%", 1]),
    );
    expect(first).not.toBe(second);
  });

  test("for a daily column with the same title every day", () => {
    const column = [0, 24, 48].map((hours) => ({
      title: "Morning briefing",
      language: "en",
      publisher: "Outlet E",
      publishedAt: at + hours * HOUR,
    }));
    expect(new Set(clusterTitles(column)).size).toBe(3);
  });

  test("for the same words in two languages", () => {
    const [spanish, italian] = clusterTitles([
      ...batch("es", "Madrid: Real Madrid"),
      ...batch("it", "Madrid: Real Madrid"),
    ]);
    expect(spanish).not.toBe(italian);
  });
});

test.each([
  ["Magnitude 6.1 earthquake strikes Peru", "Magnitude 6.1 earthquake strikes Chile"],
  ["Magnitude 6.1 earthquake in Peru", "Magnitude 6.1 earthquake in Chile"],
  ["Israeli strike on Rafah kills 12", "Israeli strike on Beirut kills 12"],
  ["Bus crash in Peru kills 20", "Bus crash in Bolivia kills 20"],
  ["Bus crash in southern Peru kills 20", "Bus crash in southern Bolivia kills 20"],
  ["Ebola outbreak declared in Uganda", "Ebola outbreak declared in Congo"],
  ["Russian missile strike on Odesa kills 5", "Russian missile strike on Kharkiv kills 9"],
  ["Explosion at chemical plant in Texas kills 3", "Explosion at chemical plant in Ohio kills 3"],
  ["Explosion in Houston, Texas, kills 3", "Explosion in Dallas, Texas, kills 3"],
])("the same words about two places are two stories: %s, %s", (first, second) => {
  expect(clusterTitles(batch("en", first, second))).toEqual([0, 1]);
});

test.each([
  ["Drone strike on Kyiv kills five, officials say", "Drone strike on Ukraine kills five, officials say"],
  ["Washington imposes new tariffs on steel imports", "US imposes new tariffs on steel imports"],
  ["Kremlin rejects plan for 30 km buffer zone in Sumy", "Russia rejects plan for 30 km buffer zone in Sumy"],
  ["Bus crash in Peru kills 20 pilgrims", "Bus crash kills 20 pilgrims in the Andes"],
  ["Ferry sinks off Chile, 40 missing", "Ferry sinks off Chile, 40 missing - The Times of India"],
  ["Zelensky meets Trump in Washington to discuss missiles", "Ukraine's Zelensky meets Trump to discuss missiles"],
  ["Sarkozy jailed for five years in Libya case", "France's Sarkozy jailed for five years"],
  ["Sarkozy jailed for five years in Libya case", "Sarkozy jailed for five years in Paris"],
  ["Storm Melissa kills 20 in Haiti", "Storm Melissa kills 20 in Jamaica"],
  ["Fire in Hong Kong tower kills 44", "Fire in China tower kills 44"],
  ["Explosion at chemical plant in Texas kills 3", "Explosion at chemical plant in Houston kills 3"],
  ["Israeli strike on Gaza kills 12", "Israeli strike on Rafah kills 12"],
])("a shared name, a town of its country or a missing place does not split a story: %s, %s", (first, second) => {
  const [one, other] = batch("en", first, second);
  const titles = [one, { ...other, publisher: "The Times of India" }] as ComparedTitle[];
  expect(clusterTitles(titles)).toEqual([0, 0]);
});

test.each([
  ["Azerbaijan Airlines plane crashes near Aktau, 38 dead", "Plane crashes in Kazakhstan, 38 dead"],
  ["Swiss bar fire kills 40 in Crans-Montana", "Italian teenagers among 40 killed in bar fire"],
])("adjectives and airlines are no places: %s, %s", (first, second) => {
  const titles = batch("en", first, second);
  expect(placesDiffer(titles, weighTitles(titles))(0, 1)).toBe(false);
});

test.each(["de", "es"])("places in %s keep no titles apart", (language) => {
  const titles = batch(language, "Bus in Peru: 20", "Bus in Chile: 20");
  expect(placesDiffer(titles, weighTitles(titles))(0, 1)).toBe(false);
});

test("a title without a place does not join events in two countries", () => {
  const titles = batch(
    "en",
    "Magnitude 6.1 earthquake strikes Peru",
    "Magnitude 6.1 earthquake strikes",
    "Magnitude 6.1 earthquake strikes Chile",
  );
  const [peru, , chile] = clusterTitles(titles);
  expect(peru).not.toBe(chile);
});

test("an empty batch has no stories", () => expect(clusterTitles([])).toEqual([]));

test("each title without words is a separate story", () => {
  expect(clusterTitles(batch("en", "…", "!!!"))).toEqual([0, 1]);
});

test("clustering survives hostile titles: long, strange or named like object members", () => {
  const titles = ["__proto__ constructor", "x".repeat(50_000), "a ".repeat(5_000), "\u0000\uffff", "9".repeat(400)];
  expect(clusterTitles(batch("constructor", ...titles))).toHaveLength(5);
});

test("stories are numbered by first appearance, and equal batches get equal numbers", () => {
  const words = fc.constantFrom("Chile", "Peru", "quake", "rates", "held", "7.1", "five", "dead", "ferry", "sinks");
  const titles = fc.array(
    fc.record({
      title: fc.array(words, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(" ")),
      language: fc.constantFrom("en", "es"),
      publisher: fc.constantFrom("a", "b", "c"),
      publishedAt: fc.integer({ min: at, max: at + 90 * HOUR }),
    }),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(titles, (batchTitles) => {
      const numbers = clusterTitles(batchTitles);
      expect(clusterTitles(batchTitles)).toEqual(numbers);
      let next = 0;
      for (const number of numbers) {
        expect(number).toBeLessThanOrEqual(next);
        if (number === next) next += 1;
      }
    }),
  );
});

/**
 * Generates titles in which a few words are frequent and most words are rare. About two thirds of the titles belong to
 * stories with several titles.
 */
function press(count: number): ComparedTitle[] {
  let seed = 1;
  const random = (): number => {
    seed = (seed * 1_664_525 + 1_013_904_223) >>> 0;
    return seed / 2 ** 32;
  };
  const word = (): string => `w${Math.floor(random() ** 3 * 30_000).toString(36)}`;
  const titles: ComparedTitle[] = [];
  while (titles.length < count) {
    const words = Array.from({ length: 7 + Math.floor(random() * 6) }, word);
    const publishedAt = at - random() * 96 * HOUR;
    const mentions = random() < 0.3 ? 1 + Math.floor(random() * 8) : 1;
    for (let mention = 0; mention < mentions && titles.length < count; mention += 1) {
      const title = words.map((current) => (random() < 0.2 ? word() : current)).join(" ");
      titles.push({ title, language: "en", publisher: `p${Math.floor(random() * 200)}`, publishedAt });
    }
  }
  return titles;
}

/** Measures CPU time instead of elapsed time, since the machine may be busy. */
function cpuMs(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

test("clustering about four times as many titles takes less than ten times the CPU time", () => {
  const [small, large] = [press(3_000), press(12_500)];
  clusterTitles(small);
  const [smallMs, largeMs] = [cpuMs(() => clusterTitles(small)), cpuMs(() => clusterTitles(large))];
  expect(largeMs).toBeLessThan(4_000);
  // Comparing all pairs would take 17 times the work.
  expect(largeMs / smallMs).toBeLessThan(10);
});
