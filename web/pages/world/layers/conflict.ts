import type { AlphaConflictEvent, BetaViolenceEvent } from "../../../../src/sdk/index.js";
import { dayText, numberText } from "../../../format.js";
import { countryCodesIn } from "../countries.js";
import { sizeBy, type ThingForm, wordsOf } from "../thing.js";
import { layerOf, presentFacts } from "./layer.js";

const DEATHS = [1, 10, 50] as const;
const placeOf = (location: AlphaConflictEvent["location"]) =>
  location && { lat: location.latitude, lon: location.longitude };

/** Battles, explosions and attacks of the last 30 days. */
export const conflictEvents = layerOf({
  id: "conflict",
  name: "Conflict events",
  extent: "30 days",
  sizes: "deaths: 0, 1, 10, 50",
  shape: "diamond",
  tone: 5,
  call: "list-alpha-events",
  dataset: "alpha-events",
  rows: ({ events }) => events,
  thing: (event: AlphaConflictEvent): ThingForm => {
    const isCounted = event.fatalitiesKnown !== false;
    const deaths = isCounted ? `${numberText(event.fatalities)} deaths` : "deaths not counted";
    return {
      id: event.id,
      title: event.eventType,
      place: placeOf(event.location),
      where: [event.admin1, event.country].filter(Boolean).join(", "),
      countries: countryCodesIn(event.country),
      at: event.occurredAt,
      size: isCounted ? sizeBy(event.fatalities, DEATHS) : "unknown",
      measure: deaths,
      facts: () =>
        presentFacts(
          ["Day", dayText(event.occurredAt)],
          ["Reported deaths", deaths],
          ["Parties", event.actors.join("; ")],
        ),
      source: event.source,
    };
  },
});

/** Deadly events of organised violence in one year. */
export const organisedViolence = layerOf({
  id: "violence",
  name: "Organised violence",
  extent: "one year",
  sizes: "deaths, best estimate: 0, 1, 10, 50",
  shape: "square",
  tone: 3,
  call: "list-beta-events",
  dataset: "beta-events",
  params: ({ country }) => ({ country: country === "" ? undefined : country }),
  rows: ({ events }) => events,
  thing: (event: BetaViolenceEvent): ThingForm => ({
    id: event.id,
    title: [event.sideA, event.sideB].filter(Boolean).join(" – ") || "Parties not identified",
    place: placeOf(event.location),
    where: event.country,
    countries: countryCodesIn(event.country),
    at: event.dateStart,
    until: event.dateEnd,
    size: sizeBy(event.deathsBest, DEATHS),
    measure: `${numberText(event.deathsBest)} deaths`,
    facts: () =>
      presentFacts(
        ["Days", `${dayText(event.dateStart)} to ${dayText(event.dateEnd)}`],
        [
          "Deaths",
          `${numberText(event.deathsBest)} (${numberText(event.deathsLow)} to ${numberText(event.deathsHigh)}), best, lowest and highest estimate`,
        ],
        ["Kind", `${wordsOf(event.violenceType, "BETA_VIOLENCE_TYPE_")} violence`],
        ["Quoted source", event.sourceOriginal],
      ),
    source: "Uppsala Conflict Data Program",
  }),
});
