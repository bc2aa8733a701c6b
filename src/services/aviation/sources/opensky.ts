import { Type } from "typebox";
import { Value } from "typebox/value";
import { oauth, optional } from "../../../contract/auth.js";
import { BadRow, LeftOut, SourceFailure, source, step } from "../../../contract/source.js";
import { isPosition, type PositionPlan, type PositionSample } from "../records/positions.js";
import { partsOf } from "../rules/box.js";
import { knotsOfMetresPerSecond, rounded } from "../rules/units.js";
import { positionRanges } from "./flight-ranges.js";

const Answer = Type.Object({
  time: Type.Number(),
  states: Type.Union([Type.Array(Type.Unknown()), Type.Null()]),
});

const address = "https://opensky-network.org/api/states/all";
const numberOrNull = Type.Union([Type.Number(), Type.Null()]);

/** State vectors of aircraft, by address or within a box; 400 credits a day without an account, 4,000 with one. */
export const opensky = source({
  id: "opensky",
  title: "OpenSky Network, state vectors",
  home: "https://openskynetwork.github.io/opensky-api/rest.html",
  seen: "recorded",
  unseen: "the answer that grants a token",
  licence: {
    name: "Research and non-commercial use",
    url: "https://opensky-network.org/about/terms-of-use",
    attribution: "The OpenSky Network, https://opensky-network.org",
    open: false,
  },
  // OpenSky grants a token to the client of an account. The token is valid for half an hour.
  auth: optional(
    oauth({
      url: "https://auth.opensky-network.org/auth/realms/opensky-network/protocol/openid-connect/token",
      form: { grant_type: "client_credentials" },
      secretForm: {
        client_id: {
          variable: "OPENSKY_CLIENT_ID",
          description:
            "Client id of an OpenSky account, which allows more requests; without it, or if it is refused, OpenSky is called anonymously",
        },
        client_secret: { variable: "OPENSKY_CLIENT_SECRET", description: "Secret of the OpenSky client" },
      },
      // The limit is short, because a caller waits first for the token and then for the state vectors.
      timeoutMs: 3_000,
    }),
  ),
  // OpenSky cannot search by callsign, and lists only aircraft whose addresses are in ICAO's register.
  answers: (plan: PositionPlan) => "box" in plan || ("icao24" in plan && !plan.icao24.startsWith("~")),
  steps: {
    states: step({
      ask: queriesOf,
      request: ({ number, query }) => ({ key: `states ${number}`, url: `${address}?${query}`, timeoutMs: 6_000 }),
      format: { kind: "json" },
      row: Type.Object({
        icao24: Type.String({ pattern: "^[0-9a-f]{6}$" }),
        callsign: Type.Union([Type.String(), Type.Null()]),
        lastContact: Type.Number(),
        lon: numberOrNull,
        lat: numberOrNull,
        baroAltitude: numberOrNull,
        onGround: Type.Boolean(),
        velocity: numberOrNull,
        track: numberOrNull,
        verticalRate: numberOrNull,
        geoAltitude: numberOrNull,
      }),
      *rows(document) {
        if (!Value.Check(Answer, document)) throw new SourceFailure("changed", "expected time and states[]");
        for (const state of document.states ?? []) yield Array.isArray(state) ? namedState(state) : state;
      },
      record(row): PositionSample | LeftOut {
        const { lat, lon } = row;
        if (lat === null || lon === null) return new LeftOut("no position");
        if (!isPosition(lat, lon)) throw new BadRow(`${lat}, ${lon} is not a position`);
        const altitude = row.baroAltitude ?? row.geoAltitude;
        const callsign = row.callsign?.trim();
        return {
          ...(altitude !== null && { altitudeM: rounded(altitude, 2) }),
          ...(callsign && { callsign }),
          ...(row.velocity !== null && { groundSpeedKts: knotsOfMetresPerSecond(row.velocity) }),
          icao24: row.icao24,
          lat,
          lon,
          observedAt: row.lastContact * 1_000,
          onGround: row.onGround,
          source: "POSITION_SOURCE_OPENSKY",
          ...(row.track !== null && { trackDeg: row.track }),
          ...(row.verticalRate !== null && { verticalRate: row.verticalRate }),
        };
      },
      rowsMin: 0,
    }),
  },
  ranges: positionRanges,
  observedAt: ({ observedAt }) => observedAt,
  recordsMin: 0,
});

/** A request for one aircraft or one box. A box across the antimeridian takes two requests, one for each part. */
interface StatesQuery {
  /** 1 for the first part, 2 for the second. */
  readonly number: number;
  readonly query: string;
}

function queriesOf(plan: PositionPlan): readonly StatesQuery[] {
  if ("icao24" in plan) return [{ number: 1, query: `icao24=${plan.icao24}` }];
  if ("callsign" in plan)
    throw new SourceFailure("unavailable", "OpenSky cannot search by callsign; expected an address or box");
  return partsOf(plan.box).map(({ south, west, north, east }, index) => ({
    number: index + 1,
    query: `lamin=${south}&lomin=${west}&lamax=${north}&lomax=${east}`,
  }));
}

/** Names the values of a state vector, which is a list in a fixed order. */
function namedState(state: readonly unknown[]): Readonly<Record<string, unknown>> {
  const [icao24, callsign, , , lastContact, lon, lat, baroAltitude, onGround, velocity, track, verticalRate] = state;
  const geoAltitude = state[13];
  return {
    icao24,
    callsign,
    lastContact,
    lon,
    lat,
    baroAltitude,
    onGround,
    velocity,
    track,
    verticalRate,
    geoAltitude,
  };
}
