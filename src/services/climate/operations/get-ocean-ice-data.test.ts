import { expect, test } from "vitest";
import { absent, snapshotOf, storedAnswerOf } from "../../../../test/support/stored-answers.js";
import { viewOf } from "../../../../test/support/views.js";
import { oceanIce } from "../datasets/ocean-ice.js";
import { getOceanIceData } from "./get-ocean-ice-data.js";

const nothingRead = { extent: [], median: [], seaLevel: [], heat: [], temperature: [] };

test("get-ocean-ice-data serves the groups that were read, without the others", () => {
  const at = Date.UTC(2025, 6, 2);
  const oceans = snapshotOf(viewOf(oceanIce, { ...nothingRead, heat: [{ at, zettajoules: 255.4 }] }));
  expect(storedAnswerOf(getOceanIceData, "", { oceans })).toEqual({
    data: { ohc0700mZj: 255.4, ohc0700mZjObservedAt: at, measuredAt: at },
  });
});

test("get-ocean-ice-data leaves `data` out while nothing is stored", () => {
  expect(storedAnswerOf(getOceanIceData, "", { oceans: absent })).toEqual({});
  expect(storedAnswerOf(getOceanIceData, "", { oceans: snapshotOf(viewOf(oceanIce, nothingRead)) })).toEqual({});
});
