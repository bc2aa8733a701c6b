import { count } from "../../../kit/counted.js";
import type { Random } from "../../../kit/random.js";
import type { BriefEvidence } from "../records.js";
import type { Section } from "../rules/sections.js";
import { headline, item } from "./evidence.js";

/** A true or invented claim of a model about a case. */
export interface PlantedClaim {
  readonly section: Section;
  readonly text: string;
  readonly cites: readonly string[];
  /** The invented part, for the report. Undefined for a true claim. */
  readonly invented?: string;
}

/** A country with known facts, and true and invented claims about the country. */
export interface PlantedCase {
  readonly name: string;
  readonly code: string;
  readonly evidence: readonly BriefEvidence[];
  readonly claims: readonly PlantedClaim[];
}

const countries = [
  ["UA", "Ukraine", "Ukrainian", "Kharkiv"],
  ["SD", "Sudan", "Sudanese", "Khartoum"],
  ["IN", "India", "Indian", "Kolkata"],
  ["CO", "Colombia", "Colombian", "Cali"],
  ["NG", "Nigeria", "Nigerian", "Maiduguri"],
  ["PH", "the Philippines", "Philippine", "Manila"],
  ["LB", "Lebanon", "Lebanese", "Beirut"],
  ["US", "the United States", "American", "Fresno"],
] as const;

const strangers = ["Narnia", "Osaka", "Lagos Port", "Poland", "Montevideo", "Sevastopol", "west Sumatra"];
const persons = ["President Alvarez", "General Okafor", "Maria Lindqvist", "Colonel Petrov"];
const organisations = ["NATO", "Médecins Sans Frontières", "the World Bank", "Interpol", "the Lazarus Group"];

const ones =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const tens = ["", "", ..."twenty thirty forty fifty sixty seventy eighty ninety".split(" ")];

function inWords(value: number): string {
  if (value < 20) return ones[value] ?? "";
  if (value < 100) return `${tens[Math.floor(value / 10)]}${value % 10 === 0 ? "" : `-${ones[value % 10]}`}`;
  if (value < 1_000)
    return `${ones[Math.floor(value / 100)]} hundred${value % 100 === 0 ? "" : ` and ${inWords(value % 100)}`}`;
  return `${inWords(Math.floor(value / 1_000))} thousand${value % 1_000 === 0 ? "" : ` ${inWords(value % 1_000)}`}`;
}

/** Formats a number in one of the ways people write it. */
function written(value: number, random: Random): string {
  const forms = [count(value), String(value), count(value).replaceAll(",", " "), count(value)];
  if (value < 1_000_000) forms.push(inWords(value));
  if (value >= 1_000_000 && value % 100_000 === 0) forms.push(`${value / 1_000_000} million`, `${value / 1_000_000}m`);
  if (value >= 1_000 && value < 1_000_000 && value % 100 === 0)
    forms.push(`${value / 1_000} thousand`, `${value / 1_000}k`);
  return pick(forms, random);
}

function pick<T>(from: readonly T[], random: Random): T {
  return from[Math.floor(random() * from.length)] as T;
}

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Makes a case of ten claims, six true and four invented. Equal random streams yield equal cases. */
export function plantedCase(index: number, random: Random): PlantedCase {
  const [code, name, demonym, city] = pick(countries, random);
  const whole = (min: number, max: number): number => min + Math.floor(random() * (max - min));
  const [events, deaths, before] = [whole(200, 4_000), whole(20, 190), whole(40, 190)];
  const after = before + whole(1, 90);
  const refugees = whole(11, 70) * 100_000;
  const displaced = whole(11, 700) * 1_300 + 7;
  const [aqi, dust, killed, wounded] = [whole(150, 300), whole(300, 900) / 10, whole(13, 60), whole(61, 99)];
  const delay = whole(100, 149);
  const percent = whole(11, 39);
  const w = (value: number): string => written(value, random);
  const evidence = [
    item(
      "E1",
      "conflict",
      `ACLED lists ${count(events)} conflict events in ${name} from 20 October to 18 November 2026, with ${count(deaths)} reported deaths.`,
      { label: "Conflict events, ACLED", value: `${count(events)} events` },
    ),
    item(
      "E2",
      "conflict",
      `Conflict events that ACLED lists in ${name} rose from ${before} events (20 October to 3 November 2026) to ${after} events (4 to 18 November 2026).`,
      { label: "Trend: conflict events that ACLED lists", value: `${before} to ${after} events` },
    ),
    item(
      "E3",
      "displacement",
      `At the end of 2025, UNHCR counts ${count(refugees)} refugees and ${count(displaced)} internally displaced people originating from ${name}.`,
      { asOf: "2025-12-31T23:59:59.999Z" },
    ),
    item(
      "E4",
      "air-quality",
      `The worst air known in ${name} is that of ${city} with a US AQI of ${aqi} (unhealthy) and PM2.5 at ${dust} µg/m³, measured on 18 November 2026 at 11:00 UTC (OpenAQ).`,
      { label: "Worst air quality", value: `US AQI ${aqi}` },
    ),
    item(
      "E5",
      "aviation",
      `${city} International (XQZ) reports departure delays averaging ${delay} minutes, severity major; ${percent} percent of its flights are late.`,
      { label: "Airport XQZ" },
    ),
    headline("E6", `Strike on ${city} kills ${killed}, ${wounded} wounded, as talks stall`),
  ];
  const truths: readonly PlantedClaim[] = [
    {
      section: "situation",
      text: pick(
        [
          `A strike on ${city} killed ${w(killed)} people.`,
          `${city} was struck, with ${w(killed)} killed, according to the headline.`,
          `The headline tells of a strike on ${city} with ${w(wounded)} wounded.`,
        ],
        random,
      ),
      cites: ["E6"],
    },
    {
      section: "situation",
      text: pick(
        [
          `Talks stall as a strike on ${city} kills ${w(killed)}, while conflict events number ${w(events)}.`,
          `${upper(name)} saw ${w(events)} conflict events, and the strike on ${city} wounded ${w(wounded)}.`,
        ],
        random,
      ),
      cites: ["E1", "E6"],
    },
    {
      section: "risks",
      text: pick(
        [
          `ACLED lists ${w(events)} conflict events with ${w(deaths)} deaths in ${name}.`,
          `Between 20 October and 18 November 2026 there were ${w(deaths)} deaths in conflict events.`,
          `Over the period ${w(events)} conflict incidents were recorded, and ${w(deaths)} people were killed.`,
        ],
        random,
      ),
      cites: ["E1"],
    },
    {
      section: "risks",
      text: pick(
        [
          `${demonym} conflict events increased from ${w(before)} events to ${w(after)} events.`,
          `The trend of conflict events is upward, from ${w(before)} events to ${w(after)}.`,
          `Conflict events climbed to ${w(after)} events in the days from 4 to 18 November.`,
        ],
        random,
      ),
      cites: ["E2"],
    },
    {
      section: "risks",
      text: pick(
        [
          `Air in ${city} is unhealthy at an AQI of ${w(aqi)}.`,
          `Fine particles stand at ${dust} µg/m3 in ${city}, measured on November 18.`,
          `${city}'s air is the worst, with a US AQI of ${aqi} at 11:00 UTC.`,
        ],
        random,
      ),
      cites: ["E4"],
    },
    {
      section: "watch",
      text: pick(
        [
          `${demonym} refugees numbered ${w(refugees)} at the end of 2025.`,
          `UNHCR counts ${w(displaced)} internally displaced people.`,
          `There were ${w(refugees)} refugees, and ${w(displaced)} people were internally displaced.`,
          `Departure delays average ${w(delay)} minutes, and ${percent}% of flights are late.`,
        ],
        random,
      ),
      cites: [],
    },
  ].map((claim) =>
    claim.cites.length > 0 ? claim : { ...claim, cites: [/minutes/.test(claim.text) ? "E5" : "E3"] },
  ) as PlantedClaim[];
  const [place, person, organisation] = [pick(strangers, random), pick(persons, random), pick(organisations, random)];
  const off = (value: number): number => value + whole(1, 9);
  const lies: readonly PlantedClaim[] = [
    {
      section: "risks",
      text: `ACLED lists ${w(off(events))} conflict events in ${name}.`,
      cites: ["E1"],
      invented: "a wrong number",
    },
    {
      section: "risks",
      text: `Conflict events caused ${w(off(deaths))} deaths.`,
      cites: ["E1"],
      invented: "a wrong toll",
    },
    { section: "risks", text: `Conflict events spread to ${place}.`, cites: ["E1"], invented: "a place" },
    {
      section: "risks",
      text: `${upper(place)} is where conflict events were listed.`,
      cites: ["E1"],
      invented: "a place at the beginning",
    },
    { section: "risks", text: `${person} blamed the conflict events on rivals.`, cites: ["E1"], invented: "a person" },
    { section: "watch", text: `Conflict events alarm ${organisation}.`, cites: ["E2"], invented: "an organisation" },
    { section: "watch", text: `UNHCR counts ${w(refugees)} refugees.`, cites: ["E4"], invented: "a wrong citation" },
    {
      section: "watch",
      text: `UNHCR counts ${w(refugees)} refugees.`,
      cites: ["E3", "E42"],
      invented: "evidence that is not there",
    },
    {
      section: "risks",
      text: `There were ${w(events)} deaths in conflict events.`,
      cites: ["E1"],
      invented: "events stated as deaths",
    },
    {
      section: "risks",
      text: `Conflict events rose by ${after} percent.`,
      cites: ["E2"],
      invented: "a count stated as a percentage",
    },
    {
      section: "risks",
      text: `At the airport ${percent} flights are late.`,
      cites: ["E5"],
      invented: "a percentage stated as a count",
    },
    {
      section: "risks",
      text: `Departure delays average ${w(delay)} hours.`,
      cites: ["E5"],
      invented: "minutes stated as hours",
    },
    {
      section: "risks",
      text: `Air in ${place} stands at an AQI of ${aqi}.`,
      cites: ["E4"],
      invented: "the right number for a wrong place",
    },
    {
      section: "situation",
      text: `A strike on ${city} killed ${w(wounded)} people.`,
      cites: ["E6"],
      invented: "wounded stated as killed",
    },
    {
      section: "situation",
      text: `A strike on ${city} killed dozens.`,
      cites: ["E6"],
      invented: "an amount without a figure",
    },
    { section: "risks", text: `Conflict events doubled in ${name}.`, cites: ["E2"], invented: "a doubling" },
    {
      section: "risks",
      text: `Conflict events fell from ${after} events to ${before} events.`,
      cites: ["E2"],
      invented: "the other direction",
    },
    {
      section: "watch",
      text: `There were ${w(displaced)} refugees abroad.`,
      cites: ["E3"],
      invented: "displaced people stated as refugees",
    },
    { section: "watch", text: "UNHCR counts refugees at the end of 2024.", cites: ["E3"], invented: "a year" },
    { section: "risks", text: "Conflict events are listed up to 21 November 2026.", cites: ["E1"], invented: "a date" },
    {
      section: "risks",
      text: `Conflict events killed ${inWords(off(deaths))} people.`,
      cites: ["E1"],
      invented: "a number in words",
    },
    {
      section: "watch",
      text: `Some ${w(refugees)} refugees need ${w(off(deaths))} thousand tonnes of aid.`,
      cites: ["E3"],
      invented: "one of two numbers",
    },
  ];
  const chosen = [...lies]
    .map((lie) => ({ lie, key: random() }))
    .sort((a, b) => a.key - b.key)
    .slice(0, 4);
  // Inventions come first, to show that they do not displace true claims.
  return { name: `${index} ${code}`, code, evidence, claims: [...chosen.map(({ lie }) => lie), ...truths] };
}
