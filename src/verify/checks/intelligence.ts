import { airports } from "../../geography/airports.js";
import { alpha2 } from "../../geography/countries.js";
import { countryKey } from "../../geography/country-key.js";
import {
  containing,
  type DatasetCheck,
  type Expected,
  type IngredientRows,
  oncePerGeneration,
  rowsOf,
  type Stored,
} from "../check.js";
import { delayLevelOf } from "./aviation.js";
import { disastersIn, stationsIn } from "./climate.js";
import { alphaEventsIn, betaEventsIn } from "./conflict.js";
import { countriesOf, pairsIn } from "./displacement.js";

const DAY_MS = 86_400_000;

interface Fact {
  readonly countryCode: string;
  readonly label: string;
  readonly value: string;
  readonly factText: string;
  /** Epoch ms. */
  readonly at: number;
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}

function counted(value: number, singular: string, plural = `${singular}s`): string {
  return `${count(value)} ${value === 1 ? singular : plural}`;
}

function decimal(value: number, digits: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: digits });
}

function startOfDay(at: number): number {
  return at - (at % DAY_MS);
}

/** The recomputed facts by country and label. */
type Facts = ReadonlyMap<string, Expected>;

function keyOf(countryCode: string, label: string): string {
  return `${countryCode} ${label}`;
}

/** The rows by the code of their country. Rows of unknown countries are in no fact. */
function byCountry<T extends { readonly country: string }>(rows: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const code = countryKey(row.country);
    if (alpha2(code) !== code) continue;
    const group = groups.get(code);
    if (group) group.push(row);
    else groups.set(code, [row]);
  }
  return groups;
}

function alphaFacts(stored: Stored): Facts {
  const events = alphaEventsIn(stored);
  const days = events.map(({ occurredAt }) => startOfDay(occurredAt));
  const [last, oldest] = [days[0] ?? 0, days.at(-1) ?? 0];
  const first = Math.max(last - 29 * DAY_MS, oldest);
  const facts = new Map<string, Expected>();
  for (const [code, own] of byCountry(events)) {
    const within = (from: number, to: number) =>
      own.filter(({ occurredAt }) => occurredAt >= from && occurredAt < to + DAY_MS);
    const recent = within(first, last);
    const isCounted = !own[0]?.id.startsWith("gdelt");
    const publisher = isCounted ? "ACLED" : "GDELT";
    if (recent.length === 0) continue;
    const withDeaths = recent.filter(({ fatalitiesKnown }) => fatalitiesKnown !== false);
    const deaths = withDeaths.reduce((sum, { fatalities }) => sum + fatalities, 0);
    facts.set(keyOf(code, `Conflict events, ${publisher}`), {
      value: counted(recent.length, "event"),
      factText: containing(
        counted(recent.length, "conflict event"),
        ...(isCounted && withDeaths.length > 0 ? [`with ${counted(deaths, "reported death")}`] : []),
      ),
      at: events[0]?.occurredAt,
    });
    const length = (last - first) / DAY_MS + 1;
    if (length < 20) continue;
    const half = Math.floor(length / 2);
    const before = within(last - (2 * half - 1) * DAY_MS, last - half * DAY_MS).length;
    const after = within(last - (half - 1) * DAY_MS, last).length;
    facts.set(keyOf(code, `Trend: conflict events that ${publisher} lists`), trend(before, after));
  }
  return facts;
}

function trend(before: number, after: number): Expected {
  const course = after === before ? "held at" : after > before ? "rose from" : "fell from";
  return {
    value: `${count(before)} to ${counted(after, "event")}`,
    factText: containing(` ${course} ${counted(before, "event")} (`, ` ${counted(after, "event")} (`),
  };
}

function betaFacts(stored: Stored): Facts {
  const events = betaEventsIn(stored);
  const last = startOfDay(events[0]?.dateEnd ?? 0);
  const facts = new Map<string, Expected>();
  for (const [code, own] of byCountry(events)) {
    const endingWithin = (daysAgo: number) =>
      own.filter(({ dateEnd }) => {
        const days = (last - dateEnd) / DAY_MS;
        return days >= daysAgo && days < daysAgo + 30;
      });
    const [after, before] = [endingWithin(0), endingWithin(30)];
    if (after.length + before.length === 0) continue;
    const deaths = after.reduce((sum, { deathsBest }) => sum + deathsBest, 0);
    const events = counted(after.length, "event");
    facts.set(keyOf(code, "Organised violence, UCDP"), {
      value: events,
      factText: containing(`${events} of organised violence`, `with ${counted(deaths, "death")} by`),
    });
    const label = "Trend: events of organised violence that UCDP records";
    facts.set(keyOf(code, label), trend(before.length, after.length));
  }
  return facts;
}

interface Month {
  readonly countryCode: string;
  readonly conflictPoliticalViolenceEvents?: number;
  readonly conflictFatalities?: number;
  readonly civilianTargetingEvents?: number;
  readonly conflictDemonstrations?: number;
}

function humanitarianFacts(stored: Stored): Facts {
  const facts = new Map<string, Expected>();
  for (const month of rowsOf<Month>(stored, "months")) {
    const { conflictPoliticalViolenceEvents: violence, conflictDemonstrations: demonstrations } = month;
    const { conflictFatalities: deaths, civilianTargetingEvents: targeting } = month;
    const value = violence === undefined ? demonstrations : violence;
    if (value === undefined) continue;
    facts.set(keyOf(month.countryCode, "Humanitarian summary of the month, HDX HAPI"), {
      value: counted(value, violence === undefined ? "demonstration" : "event"),
      factText: containing(
        ...(violence === undefined ? [] : [`${counted(violence, "event")} of political violence`]),
        ...(targeting && violence !== undefined ? [`(${count(targeting)} of them targeting civilians)`] : []),
        ...(deaths === undefined ? [] : [counted(deaths, "death")]),
        ...(demonstrations === undefined ? [] : [counted(demonstrations, "demonstration")]),
      ),
    });
  }
  return facts;
}

function displacementFacts(stored: Stored): Facts {
  const facts = new Map<string, Expected>();
  const stated = new Set<string>();
  for (const country of countriesOf(pairsIn(stored))) {
    const code = alpha2(country.code);
    if (code === undefined || stated.has(code)) continue;
    stated.add(code);
    const text = (value: number, one: string, many: string): readonly string[] =>
      value > 0 ? [counted(value, one, many)] : [];
    const left = [
      ...text(country.refugees, "refugee", "refugees"),
      ...text(country.asylumSeekers, "asylum seeker", "asylum seekers"),
      ...text(country.idps, "internally displaced person", "internally displaced people"),
      ...text(country.stateless, "stateless person", "stateless people"),
    ];
    const came = [
      ...text(country.hostRefugees, "refugee", "refugees"),
      ...text(country.hostAsylumSeekers, "asylum seeker", "asylum seekers"),
    ];
    const fact = (total: number, texts: readonly string[]): Expected => ({
      value: counted(total, "person", "people"),
      factText: containing(...texts),
    });
    if (left.length > 0) facts.set(keyOf(code, "Displaced by origin, UNHCR"), fact(country.totalDisplaced, left));
    if (came.length > 0) facts.set(keyOf(code, "Hosted, UNHCR"), fact(country.hostTotal, came));
  }
  return facts;
}

function airFacts(stored: Stored): Facts {
  const facts = new Map<string, Expected>();
  for (const { countryCode, aqi, pm25, riskLevel, measuredAt } of stationsIn(stored)) {
    const key = keyOf(countryCode ?? "", "Worst air quality");
    if (countryCode === undefined || facts.has(key)) continue;
    const dust = pm25 === undefined ? [] : [`PM2.5 at ${decimal(pm25, 1)} µg/m³`];
    facts.set(key, {
      value: `US AQI ${aqi}`,
      factText: containing(`a US AQI of ${aqi} (${riskLevel})`, ...dust),
      at: measuredAt,
    });
  }
  return facts;
}

interface Index {
  readonly month: number;
  readonly index: number;
}

function priceFacts(stored: Stored): Facts {
  const rows = rowsOf<Index>(stored, "headline");
  const [last] = [...rows].sort((a, b) => b.month - a.month);
  const date = new Date(last?.month ?? 0);
  const before = (months: number): number | undefined =>
    rows.find(({ month }) => month === Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months))?.index;
  const [year, month] = [before(12), before(1)];
  if (!last || year === undefined) return new Map();
  const change = (base: number): number => Number(((100 * last.index) / base - 100).toFixed(4));
  const words = (base: number): string =>
    `${decimal(Math.abs(change(base)), 2)} percent ${change(base) < 0 ? "below" : "above"}`;
  const fact = {
    value: `${decimal(change(year), 2)} percent`,
    factText: containing(
      `${words(year)} those of a year earlier`,
      ...(month === undefined ? [] : [`${words(month)} the month before`]),
    ),
    at: last.month,
  };
  return new Map([[keyOf("US", "Consumer prices, CPI-U"), fact]]);
}

interface Curve {
  readonly date: number;
  readonly twoYear?: number;
  readonly tenYear?: number;
}

function yieldFacts(stored: Stored): Facts {
  const [last] = [...rowsOf<Curve>(stored, "curves")].sort((a, b) => b.date - a.date);
  const { twoYear, tenYear } = last ?? {};
  const shown = tenYear ?? twoYear;
  if (!last || shown === undefined) return new Map();
  const percent = (value: number): string => `${decimal(Math.abs(value), 2)} percent`;
  const tenors = [
    ...(twoYear === undefined ? [] : [`the 2-year par yield of the US Treasury was ${percent(twoYear)}`]),
    ...(tenYear === undefined ? [] : [`the 10-year par yield of the US Treasury was ${percent(tenYear)}`]),
  ];
  const fact = { value: percent(shown), factText: containing(...tenors), at: last.date };
  return new Map([[keyOf("US", "Treasury par yields"), fact]]);
}

/** Every stored fact equals the recomputed one, and none is missing. A part without facts had no usable dataset. */
function wholePart(facts: readonly Fact[], recomputed: Facts): readonly Expected[] {
  if (facts.length === 0) return [];
  const stated = new Set(facts.map(({ countryCode, label }) => keyOf(countryCode, label)));
  const missing = [...recomputed].filter(([key]) => !stated.has(key));
  return [
    ...facts.map(({ countryCode, label }) => recomputed.get(keyOf(countryCode, label)) ?? { value: undefined }),
    ...missing.map(([, fact]) => fact),
  ];
}

interface Kind {
  /** The part of the product. */
  readonly part: string;
  readonly ingredient: string;
  recompute(stored: Stored, facts: readonly Fact[], ingredient: IngredientRows): readonly Expected[];
}

function whole(part: string, ingredient: string, factsOf: (stored: Stored) => Facts): Kind {
  const recomputed = oncePerGeneration(factsOf);
  return { part, ingredient, recompute: (stored, facts) => wholePart(facts, recomputed(stored)) };
}

/** Numbers are recomputed for the facts that are stated; which are stated also depends on when the list was read. */
function each(part: string, ingredient: string, factOf: (stored: Stored) => (fact: Fact) => Expected): Kind {
  const recomputed = oncePerGeneration(factOf);
  return { part, ingredient, recompute: (stored, facts) => facts.map(recomputed(stored)) };
}

const uncounted: Expected = {};

function disasterFact(stored: Stored): (fact: Fact) => Expected {
  const all = disastersIn(stored).slice(0, 300);
  return ({ label, countryCode: code, at }) => {
    if (label !== "Climate disasters under way") return uncounted;
    const present = all.filter(
      ({ countryCode, countryCodes, status, startedAt }) =>
        (countryCode === code || countryCodes?.includes(code)) && status !== "past" && (startedAt ?? at) <= at,
    );
    const types = new Map<string, number>();
    for (const { type } of present) types.set(type, (types.get(type) ?? 0) + 1);
    return {
      value: counted(present.length, "disaster"),
      factText: containing(
        `name ${counted(present.length, "climate disaster")} in`,
        ...[...types].map(([type, number]) => counted(number, type)),
      ),
    };
  };
}

interface TrafficAnomaly {
  readonly locationCode?: string;
  readonly startDate: number;
  readonly endDate: number;
}

function internetFact(stored: Stored): (fact: Fact) => Expected {
  const rows = rowsOf<TrafficAnomaly>(stored, "anomalies");
  return ({ countryCode, at }) => {
    const own = rows.filter(
      ({ locationCode, startDate }) => locationCode === countryCode && at - startDate <= 7 * DAY_MS,
    );
    const open = own.filter(({ endDate }) => endDate === 0).length;
    return {
      value: counted(own.length, "anomaly", "anomalies"),
      factText: containing(
        `lists ${counted(own.length, "internet traffic anomaly", "internet traffic anomalies")} of the last seven days`,
        ...(own.length > 1 && open > 0 ? [`${counted(open, "anomaly", "anomalies")} of them not over`] : []),
      ),
    };
  };
}

function airportFact(stored: Stored): (fact: Fact) => Expected {
  const disrupted = airports.flatMap((airport) => {
    const level = delayLevelOf(stored, airport);
    return level === undefined || level === "NORMAL" ? [] : [{ ...airport, level }];
  });
  return ({ label, countryCode }) => {
    if (label !== "Airport disruption") {
      const airport = disrupted.find(({ iata }) => label === `Airport ${iata}`);
      return { value: airport?.level.toLowerCase(), factText: containing(`${airport?.level.toLowerCase()} severity`) };
    }
    const own = disrupted.filter((airport) => airport.countryCode === countryCode);
    return {
      value: counted(own.length, "airport"),
      factText: containing(`reported for ${counted(own.length, "monitored airport")} in`),
    };
  };
}

const listNames: Readonly<Record<string, string>> = {
  "The OFAC SDN": "sdn",
  "The OFAC Consolidated": "consolidated",
  "Canada's SEMA": "sema",
  "The UN Security Council": "un",
};

function sanctionsFact(stored: Stored): (fact: Fact) => Expected {
  const counts = new Map<string, number>();
  for (const [name, part] of Object.entries(listNames)) {
    for (const { countries = [] } of rowsOf<{ readonly countries?: readonly string[] }>(stored, part)) {
      for (const code of countries) counts.set(`${name} ${code}`, (counts.get(`${name} ${code}`) ?? 0) + 1);
    }
  }
  return ({ label, countryCode }) => {
    const entries = counts.get(`${label.replace("Sanctions list, ", "")} ${countryCode}`) ?? 0;
    const value = counted(entries, "entry", "entries");
    return { value, factText: containing(`, has ${value} `) };
  };
}

interface Week {
  readonly zone: string;
  readonly lastDay: number;
  readonly temperatureC: number;
  readonly precipitationMm: number;
}

interface Normals {
  readonly zone: string;
  readonly months: readonly { readonly temperatureC: number; readonly precipitationMm: number }[];
}

/** A number to one decimal; halves are rounded up. */
function tenths(value: number): number {
  return Math.floor(10 * value + 0.5) / 10 + 0;
}

const climate: Kind = {
  part: "climate",
  ingredient: "climate-anomalies",
  recompute(stored, facts, ingredient) {
    const weeks = Object.keys(stored.parts).flatMap((part) => rowsOf<Week>(stored, part));
    const normals = rowsOf<Normals>(ingredient("climate-normals"), "normals");
    return facts.map(({ label }): Expected => {
      const zone = label.replace("Climate zone ", "").toLowerCase().replaceAll(" ", "-");
      const week = weeks.find((row) => row.zone === zone);
      const usual = normals.find((row) => row.zone === zone)?.months[new Date(week?.lastDay ?? 0).getUTCMonth()];
      if (!week || !usual) return { value: undefined };
      const degrees = tenths(week.temperatureC - usual.temperatureC);
      const millimetres = tenths(week.precipitationMm - usual.precipitationMm);
      return {
        value: `${decimal(degrees, 1)} °C, ${decimal(millimetres, 1)} mm a day`,
        factText: containing(
          `${decimal(Math.abs(degrees), 1)} °C ${degrees < 0 ? "colder" : "warmer"}`,
          `${decimal(Math.abs(millimetres), 1)} mm a day ${millimetres < 0 ? "drier" : "wetter"}`,
        ),
        at: week.lastDay,
      };
    });
  },
};

const kinds: readonly Kind[] = [
  whole("alphaEvents", "alpha-events", alphaFacts),
  whole("betaEvents", "beta-events", betaFacts),
  whole("humanitarian", "humanitarian-summary", humanitarianFacts),
  whole("displacement", "displacement", displacementFacts),
  each("disaster", "climate-disasters", disasterFact),
  climate,
  whole("airQuality", "air-quality", airFacts),
  each("internet", "internet-traffic-anomalies", internetFact),
  each("aviation", "airport-delays", airportFact),
  whole("consumerPrices", "us-cpi", priceFacts),
  whole("yields", "us-treasury-yields", yieldFacts),
  each("sanctions", "sanctions-lists", sanctionsFact),
];

/** The numbers of the facts on countries, one check for each kind of fact. */
export const countryFacts: readonly DatasetCheck[] = kinds.map(({ part, ingredient: name, recompute }) => ({
  dataset: "country-evidence",
  what: `numbers of the facts of ${part}`,
  ingredients: part === "climate" ? [name, "climate-normals"] : [name],
  recompute(own, ingredient): Expected {
    const facts = rowsOf<Fact>(own, part);
    const stored = ingredient(name);
    // Without the dataset there is no fact.
    return { [part]: stored ? recompute(stored, facts, ingredient) : [] };
  },
}));
