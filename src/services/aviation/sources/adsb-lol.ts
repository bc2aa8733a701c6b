import { Type } from "typebox";
import { Value } from "typebox/value";
import { BadRow, LeftOut, SourceFailure, source, step } from "../../../contract/source.js";
import { isPosition, type PositionPlan, type PositionSample } from "../records/positions.js";
import { circleAround } from "../rules/box.js";
import { metresOfFeet, metresPerSecondOfFeetPerMinute, rounded } from "../rules/units.js";
import { positionRanges } from "./flight-ranges.js";

const Answer = Type.Object({ ac: Type.Array(Type.Unknown()), now: Type.Number() });

/** The API's maximum radius. */
export const RADIUS_NM_MAX = 250;

const optionalNumber = Type.Optional(Type.Union([Type.Number(), Type.Null()]));

/** Current aircraft positions from volunteers' receivers, by address, callsign or within a circle. */
export const adsbLol = source({
  id: "adsb-lol",
  title: "adsb.lol, aircraft positions",
  home: "https://api.adsb.lol/docs",
  seen: "recorded",
  licence: {
    name: "ODbL 1.0",
    url: "https://opendatacommons.org/licenses/odbl/1-0/",
    attribution: "adsb.lol contributors",
    open: true,
  },
  answers: (plan: PositionPlan) => !("box" in plan) || circleAround(plan.box).radiusNm <= RADIUS_NM_MAX,
  steps: {
    aircraft: step({
      request: (plan: PositionPlan) => ({
        key: "aircraft",
        url: `https://api.adsb.lol/v2/${pathOf(plan)}`,
        timeoutMs: 4_000,
      }),
      format: { kind: "json" },
      row: Type.Object({
        hex: Type.String({ pattern: "^~?[0-9a-f]{6}$" }),
        flight: Type.Optional(Type.Union([Type.String(), Type.Null()])),
        lat: optionalNumber,
        lon: optionalNumber,
        alt_baro: Type.Optional(Type.Union([Type.Number(), Type.Literal("ground"), Type.Null()])),
        alt_geom: optionalNumber,
        gs: optionalNumber,
        track: optionalNumber,
        baro_rate: optionalNumber,
        geom_rate: optionalNumber,
        seen_pos: optionalNumber,
        now: Type.Number(),
      }),
      *rows(document) {
        if (!Value.Check(Answer, document)) throw new SourceFailure("changed", "expected ac[] and now");
        const { now, ac } = document;
        for (const aircraft of ac) yield typeof aircraft === "object" ? { ...aircraft, now } : aircraft;
      },
      record(row): PositionSample | LeftOut {
        const { lat, lon } = row;
        if (typeof lat !== "number" || typeof lon !== "number") return new LeftOut("no position");
        if (!isPosition(lat, lon)) throw new BadRow(`${lat}, ${lon} is not a position`);
        const onGround = row.alt_baro === "ground";
        const callsign = row.flight?.trim();
        const feet = typeof row.alt_baro === "number" ? row.alt_baro : row.alt_geom;
        const climb = row.baro_rate ?? row.geom_rate;
        return {
          ...(typeof feet === "number" && !onGround && { altitudeM: metresOfFeet(feet) }),
          ...(callsign && { callsign }),
          ...(typeof row.gs === "number" && { groundSpeedKts: rounded(row.gs, 1) }),
          icao24: row.hex,
          lat,
          lon,
          observedAt: Math.round(row.now - (row.seen_pos ?? 0) * 1_000),
          onGround,
          source: "POSITION_SOURCE_ADSB",
          ...(typeof row.track === "number" && { trackDeg: row.track }),
          ...(typeof climb === "number" && { verticalRate: metresPerSecondOfFeetPerMinute(climb) }),
        };
      },
      rowsMin: 0,
    }),
  },
  ranges: positionRanges,
  observedAt: ({ observedAt }) => observedAt,
  recordsMin: 0,
});

function pathOf(plan: PositionPlan): string {
  if ("icao24" in plan) return `hex/${plan.icao24}`;
  if ("callsign" in plan) return `callsign/${plan.callsign}`;
  const { lat, lon, radiusNm } = circleAround(plan.box);
  return `lat/${rounded(lat, 4)}/lon/${rounded(lon, 4)}/dist/${radiusNm}`;
}
