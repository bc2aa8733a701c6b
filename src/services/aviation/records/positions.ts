import { type Static, Type } from "typebox";
import { epochMs } from "../../../contract/field.js";
import type { Box } from "../rules/box.js";

/** A reported position of an aircraft. Fields that its transponder does not send are absent. */
export const PositionSample = Type.Object(
  {
    altitudeM: Type.Optional(Type.Number({ description: "Barometric altitude, else geometric; metres" })),
    callsign: Type.Optional(Type.String({ description: "Callsign; absent when the aircraft sends none" })),
    groundSpeedKts: Type.Optional(Type.Number({ description: "Knots" })),
    icao24: Type.String({
      description: "24-bit address, lower-case hexadecimal; prefixed with `~` if outside ICAO's register",
    }),
    lat: Type.Number({ minimum: -90, maximum: 90, description: "Degrees north" }),
    lon: Type.Number({ minimum: -180, maximum: 180, description: "Degrees east" }),
    observedAt: epochMs("Time of the last report"),
    onGround: Type.Boolean({ description: "True if the aircraft reports being on the ground" }),
    source: Type.Enum(
      ["POSITION_SOURCE_UNSPECIFIED", "POSITION_SOURCE_OPENSKY", "POSITION_SOURCE_ADSB", "POSITION_SOURCE_SIMULATED"],
      { description: "Receiver network that reported the position" },
    ),
    trackDeg: Type.Optional(Type.Number({ description: "Degrees clockwise from north" })),
    verticalRate: Type.Optional(Type.Number({ description: "Metres per second, positive upwards" })),
  },
  { title: "PositionSample" },
);
export type PositionSample = Static<typeof PositionSample>;

/** A search by address, by callsign or in a box. */
export type PositionPlan = { readonly icao24: string } | { readonly callsign: string } | { readonly box: Box };

export function isPosition(lat: number, lon: number): boolean {
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180;
}
