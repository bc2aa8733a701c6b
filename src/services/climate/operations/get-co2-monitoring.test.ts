import { expect, test } from "vitest";
import { absent, snapshotOf, storedAnswerOf } from "../../../../test/support/stored-answers.js";
import { getCo2Monitoring } from "./get-co2-monitoring.js";

test("get-co2-monitoring serves the stored means unchanged", () => {
  const monitoring = { currentPpm: 428.1, station: "Mauna Loa, Hawaii" };
  expect(storedAnswerOf(getCo2Monitoring, "", { gases: snapshotOf(monitoring) })).toEqual({ monitoring });
});

test("get-co2-monitoring leaves `monitoring` out while nothing is stored", () => {
  expect(storedAnswerOf(getCo2Monitoring, "", { gases: absent })).toEqual({});
  expect(storedAnswerOf(getCo2Monitoring, "", { gases: snapshotOf(undefined) })).toEqual({});
});
