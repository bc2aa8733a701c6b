import { expect, test } from "vitest";
import { wordsOf } from "../../../../kit/words.js";
import { noAttacks, stateAttacksIn } from "./state-attacks.js";
import { classifyTitle } from "./threat-class.js";

const answer = (title: string, language?: string): string => {
  const { level, category } = classifyTitle(title, language);
  return `${level} ${category}`;
};

const pairs = [
  ["Israel", "Iran"],
  ["India", "Pakistan"],
  ["Russia", "Ukraine"],
  ["US", "Venezuela"],
  ["Saudi Arabia", "Yemen"],
  ["Thailand", "Cambodia"],
  ["Turkey", "Syria"],
  ["Rwanda", "DR Congo"],
  ["Ethiopia", "Eritrea"],
  ["North Korea", "South Korea"],
] as const;

const attacks: readonly ((attacker: string, target: string) => string)[] = [
  (a, b) => `${a} strikes ${b}`,
  (a, b) => `${a} bombs ${b}`,
  (a, b) => `${a} launches missile attack on ${b}`,
  (a, b) => `${a} fires missiles at ${b}`,
  (a, b) => `${a} launches missiles at ${b}`,
  (a, b) => `${a} shoots down ${b} jet`,
];

test.each(pairs)("an attack of %s on %s is high conflict, and an outbreak of war is critical", (a, b) => {
  const titles = attacks.map((title) => title(a, b));
  expect(titles.filter((title) => answer(title) !== "high conflict")).toEqual([]);
  expect(answer(`War breaks out between ${a} and ${b}`)).toBe("critical conflict");
});

test.each([
  "US hits Houthi targets in Yemen",
  "US strikes boat in Caribbean, killing three",
  "US military strikes alleged drug boat",
  "Iran launches hundreds of missiles at Israel",
  "Iran attacks Israel with more than 300 drones",
  "Iran strikes back at Israel",
  "Israel strikes Gaza, killing 30",
  "Israel strikes southern Lebanon despite ceasefire",
  "Russian drones attack Odesa",
  "Ukraine strikes Russian oil refinery",
  "Houthis attack tanker in Red Sea",
  "Pakistan shoots down Indian fighter jet",
  "Pakistan shoots down Indian jet",
  "US bombs Iranian nuclear sites",
  "Russia launches missiles at Ukraine",
  "Israel strikes Lebanon over truce breaches",
  "Israel attacks Iran for second day",
  "Russia hits Kyiv with drones",
  "Israeli jets hit Damascus",
  "Israeli air strikes hit Gaza",
  "Ukraine strikes Russian oil depot",
  "Israel attacks Lebanon hours after ceasefire deal",
  "Iran launches missile attack on Qatar",
  "Breaking: Israel strikes Iran",
])("an attack by a state or an armed party is high conflict: %s", (title) => {
  expect(answer(title)).toBe("high conflict");
});

test.each([
  ["de", "Israel greift Iran an"],
  ["de", "USA greifen Ziele im Jemen an"],
  ["fr", "Israël frappe l'Iran"],
  ["fr", "L'armée israélienne bombarde Gaza"],
  ["es", "Israel ataca a Irán"],
  ["es", "Rusia bombardea Ucrania"],
  ["pt", "Israel ataca o Irã"],
])("an attack by a state in %s is high conflict: %s", (language, title) => {
  expect(answer(title, language)).toBe("high conflict");
});

test.each([
  ["en", "US strikes deal with Iran"],
  ["en", "US strikes India trade deal"],
  ["en", "Russia and Ukraine strike grain deal"],
  ["en", "France hits Italy in World Cup"],
  ["en", "Spain attacks Portugal in Euro final"],
  ["en", "India attack Australia early in second test"],
  ["en", "Japan hits North Korea 3-0"],
  ["en", "Labour strikes hit Germany"],
  ["en", "US hits China with tariffs"],
  ["en", "Japan hits South Korea with export curbs"],
  ["en", "US hits Chinese chipmakers"],
  ["en", "Canada hits back at US"],
  ["en", "Iran hit by US sanctions"],
  ["en", "China attacks US over trade"],
  ["en", "US attacks Canada's dairy policy"],
  ["en", "US strikes Cuba from terror list"],
  ["en", "Poland hits Germany with bill for war damages"],
  ["en", "Chinese hackers attack Taiwan"],
  ["en", "Storm hits Japan"],
  ["en", "If Israel strikes Iran, oil will rise"],
  ["en", "Could Israel strike Iran?"],
  ["en", "US denies it attacked Iran"],
  ["en", "US bombs Hiroshima: 80 years on"],
  ["en", "Trade war breaks out between US and China"],
  ["en", "War breaks out between Apple and Samsung in US"],
  ["en", "War breaks out among chefs in Paris"],
  ["de", "China greift USA verbal an"],
  ["de", "Frankreich greift Italien im WM-Finale an"],
  ["fr", "La Chine frappe les États-Unis de droits de douane"],
  ["es", "España ataca a Italia en la final de la Eurocopa"],
])("a title in %s about a deal, trade, sport, a quarrel or a possibility is no attack: %s", (language, title) => {
  expect(["high", "critical"]).not.toContain(classifyTitle(title, language).level);
});

test.each([
  // A country in another phrase is not the attacker.
  ["en", "Slowdown in China hits Germany"],
  ["en", "Blackout in Spain hits Portugal"],
  ["en", "Earthquake in Turkey hits Syria"],
  ["en", "Wildfire smoke from Canada hits New York"],
  ["en", "Bird flu from US hits Canada"],
  ["en", "Ash cloud from Iceland hits UK flights"],
  ["fr", "La crise en Chine frappe l'Allemagne"],
  ["en", "Typhoon that battered Philippines hits Vietnam"],
  // Sport, and people of a country.
  ["en", "England hit India"],
  ["en", "New Zealand strike England early"],
  ["en", "Pakistan strike Bangladesh twice before lunch"],
  ["en", "Pakistan strikes Bangladesh twice before lunch"],
  ["en", "Serbia pounds Lithuania by 20"],
  ["en", "Sweden hit Poland late"],
  ["en", "Haaland: Norwegian strikes in Madrid"],
  ["en", "Briton attacked in Spain"],
  ["en", "Israeli attacked in Athens"],
  ["en", "French guard attacked Chinese tourist"],
  // Fears, opinions and fiction.
  ["en", "Russian attack on NATO within five years, German army chief says"],
  ["en", "Germany braces for Russian attack on NATO"],
  ["en", "Experts doubt Chinese attack on Taiwan"],
  ["en", "Trump rejects Israeli attack on Iran"],
  ["en", "Poll: most Germans expect Russian attack on NATO"],
  ["en", "Netflix thriller imagines North Korean missile attack on US"],
  ["en", "Museum of Japanese attack on US opens"],
  ["en", "Netflix: War breaks out between Korea and Japan in new drama"],
  ["en", "War breaks out between Korea and Japan in new Netflix drama"],
  ["en", "War breaks out between France and Italy over wine"],
  ["en", "Israel strikes Iran in new Netflix thriller"],
  // Trade, quarrels, courts and police.
  ["en", "China hits Japanese seafood"],
  ["en", "US hits Canada lumber"],
  ["en", "US hits Vietnam shrimp"],
  ["en", "US hits Switzerland"],
  ["en", "US hits Russia's Rosneft"],
  ["en", "US hits Iran with sanctions over missiles"],
  ["en", "Chinese military attacks US over Taiwan transit"],
  ["en", "China strikes back at US"],
  ["en", "Russia attacks Ukraine at UN"],
  ["en", "Hungary attacks Ukraine in letter to EU"],
  ["en", "Israel attacks Irish leader"],
  ["en", "Ireland attacks Israel at ICJ"],
  ["fr", "La France attaque l'Iran devant la CIJ"],
  ["es", "Venezuela ataca a España en la ONU"],
  ["de", "China greift USA in der WTO an"],
  ["en", "US raids South Korean battery plant"],
  ["en", "Germany raids Hamas-linked groups"],
  ["en", "Germany raids Hezbollah"],
  ["en", "Canada shoots down US fighter jet purchase"],
  ["en", "US strikes Vietnam from list of currency manipulators"],
  ["en", "French air traffic strikes hit Spain"],
  ["en", "UK hits Russian oil targets"],
  ["en", "Brazil strikes Chile for gold"],
  ["en", "Chinese missile hits target"],
  ["en", "Russia strikes Ukraine in cyber attack"],
  // Blasts in words.
  ["en", "Explosion in tourism in Japan"],
  ["en", "Explosion in Germany electric car sales"],
  ["en", "Blasts in Germany: dispute"],
  ["en", "Massive explosion hits Japan tourism"],
])("a title in %s has no attack, war or blast: %s", (language, title) => {
  expect(stateAttacksIn(wordsOf(title, 80), language)).toEqual(noAttacks);
});

test.each([
  "Explosion rocks Tehran",
  "Blast hits Istanbul",
  "Explosions heard in Kyiv",
  "Huge explosion shakes Beirut",
])("a blast at a named place is at least medium: %s", (title) => expect(classifyTitle(title).level).toBe("medium"));

test.each(["US blasts Russia", "Trump blasts China", "Baby boom explosion in Nigeria"])(
  "a blast in words is no blast: %s",
  (title) => expect(classifyTitle(title).level).toBe("info"),
);
