import type { AnswerCheck, DatasetCheck } from "./check.js";
import { airportDelays, airportSummaries } from "./checks/aviation.js";
import { airQuality, climateAnomalies, disasters } from "./checks/climate.js";
import { greenhouseGases, oceans } from "./checks/climate-series.js";
import { alphaEvents, betaEvents, humanitarian } from "./checks/conflict.js";
import { displaced } from "./checks/displacement.js";
import { consumerPrices } from "./checks/economic.js";
import { trafficAnomalies } from "./checks/infrastructure.js";
import { countryFacts } from "./checks/intelligence.js";
import { naturalEvents } from "./checks/natural.js";
import { digestAnswers, digestItems } from "./checks/news.js";
import { sanctionsLookup, sanctionsPressure } from "./checks/sanctions.js";
import { earthquakes } from "./checks/seismology.js";

export const answerChecks: readonly AnswerCheck[] = [
  airportDelays,
  airportSummaries,
  airQuality,
  alphaEvents,
  betaEvents,
  climateAnomalies,
  consumerPrices,
  digestAnswers,
  disasters,
  displaced,
  earthquakes,
  greenhouseGases,
  humanitarian,
  naturalEvents,
  oceans,
  sanctionsLookup,
  sanctionsPressure,
  trafficAnomalies,
];

export const datasetChecks: readonly DatasetCheck[] = [digestItems, ...countryFacts];
