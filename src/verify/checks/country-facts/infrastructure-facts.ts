import { airports } from "../../../geography/airports.js";
import { DAY_MS } from "../../../kit/clock.js";
import { containing, type Expected, rowsOf, type Stored } from "../../check.js";
import { delayLevelOf } from "../aviation.js";
import { counted, type Fact, storedFacts } from "./fact.js";

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
        ...(own.length > 1 && open > 0 ? [`${counted(open, "anomaly has", "anomalies have")} not ended`] : []),
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
      return { value: airport?.level.toLowerCase(), factText: containing(`severity ${airport?.level.toLowerCase()}`) };
    }
    const own = disrupted.filter((airport) => airport.countryCode === countryCode);
    return {
      value: counted(own.length, "airport"),
      factText: containing(`reported for ${counted(own.length, "monitored airport")} in`),
    };
  };
}

export const infrastructureFacts = [
  storedFacts("internet", "internet-traffic-anomalies", internetFact),
  storedFacts("aviation", "airport-delays", airportFact),
];
