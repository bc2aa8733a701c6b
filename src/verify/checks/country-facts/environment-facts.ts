import { allRowsOf, containing, type Expected, rowsOf, type Stored } from "../../check.js";
import { disastersIn, stationsIn } from "../climate.js";
import { counted, decimal, type Fact, type FactCheck, type Facts, keyOf, storedFacts, wholePart } from "./fact.js";

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
        `contain ${counted(present.length, "climate disaster")} in`,
        ...[...types].map(([type, number]) => counted(number, type)),
      ),
    };
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

const climate: FactCheck = {
  part: "climate",
  ingredient: "climate-anomalies",
  otherIngredients: ["climate-normals"],
  recompute(stored, facts, ingredient) {
    const weeks = allRowsOf<Week>(stored);
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

export const environmentFacts = [
  wholePart("airQuality", "air-quality", airFacts),
  storedFacts("disaster", "climate-disasters", disasterFact),
  climate,
];
