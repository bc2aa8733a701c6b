import { SECOND_MS } from "../../../kit/clock.js";
import { demoTokens } from "../../../simulator/demo-tokens.js";
import {
  rewriteMiddle,
  type SimulatedAnswer,
  type SimulatedRequest,
  simulatedUpstream,
} from "../../../simulator/upstream.js";
import { type AircraftState, aircraftAt } from "./models/aircraft.js";

const CLIENT_ID = "demo-opensky-client";
const CLIENT_SECRET = "demo-opensky-secret";
const TOKEN_SECONDS = 1_800;
const tokens = demoTokens("opensky", TOKEN_SECONDS);

/**
 * OpenSky's state vectors: lists of 17 values, null for missing data. OpenSky answers requests without a token, but
 * refuses requests with a wrong token.
 */
export const upstream = simulatedUpstream({
  name: "opensky",
  credentials: { OPENSKY_CLIENT_ID: CLIENT_ID, OPENSKY_CLIENT_SECRET: CLIENT_SECRET },
  routes: [
    {
      host: "auth.opensky-network.org",
      path: "/auth/realms/opensky-network/protocol/openid-connect/token",
      methods: ["POST"],
      handle: grantToken,
      variants: {
        changed: (json) => json.replace('"access_token":', '"accessToken":'),
        empty: () => "{}",
        badRow: (json) => json.replace(/"access_token":"[^"]*"/, '"access_token":7'),
      },
    },
    {
      host: "opensky-network.org",
      path: "/api/states/all",
      handle: answerStates,
      variants: {
        changed: (json) => json.replace('"states":', '"vectors":'),
        empty: (json) => json.replace(/"states":.*\}$/s, '"states":null}'),
        badRow: (json) => rewriteMiddle(json, /\["[0-9a-f]{6}"/g, () => '["nonsense"'),
      },
    },
  ],
});

function grantToken({ body, clock }: SimulatedRequest): SimulatedAnswer {
  const form = new URLSearchParams(body);
  const isKnown = form.get("client_id") === CLIENT_ID && form.get("client_secret") === CLIENT_SECRET;
  const refused = { error: "unauthorized_client", error_description: "Invalid client or Invalid client credentials" };
  const granted = {
    access_token: tokens.issue(clock.now()),
    expires_in: TOKEN_SECONDS,
    refresh_expires_in: 0,
    token_type: "Bearer",
    "not-before-policy": 0,
    scope: "profile email",
  };
  const isGranted = isKnown && form.get("grant_type") === "client_credentials";
  return {
    status: isGranted ? 200 : 401,
    contentType: "application/json",
    body: JSON.stringify(isGranted ? granted : refused),
  };
}

function answerStates({ url, headers, clock, seed }: SimulatedRequest): SimulatedAnswer {
  if (headers.authorization !== undefined && !tokens.isValid(headers.authorization, clock.now())) {
    return { status: 401, contentType: "text/plain", body: "Unauthorized" };
  }
  const bound = (name: string): number | undefined => {
    const text = url.searchParams.get(name);
    return text === null ? undefined : Number(text);
  };
  const icao24 = url.searchParams.getAll("icao24").map((text) => text.toLowerCase());
  const [south = -90, north = 90, west = -180, east = 180] = ["lamin", "lamax", "lomin", "lomax"].map(bound);
  const time = Math.floor(clock.now() / SECOND_MS);
  const states = aircraftAt(seed, clock.now()).flatMap((state, index) => {
    const isNamed = icao24.length === 0 || icao24.includes(state.icao24);
    const isInside = state.lat >= south && state.lat <= north && state.lon >= west && state.lon <= east;
    return isNamed && isInside ? [vectorOf(state, index, time)] : [];
  });
  const body = JSON.stringify({ time, states: states.length > 0 ? states : null });
  return { status: 200, contentType: "application/json;charset=utf-8", body };
}

function vectorOf(state: AircraftState, index: number, time: number): readonly unknown[] {
  const isUnseen = index % 53 === 52;
  const metres = (feet: number): number => Number((feet * 0.3048).toFixed(2));
  const lastContact = time - (index % 7);
  const { onGround, feet } = state;
  return [
    state.icao24,
    index % 47 === 46 ? "" : state.callsign.padEnd(8),
    "Simulated",
    ...(isUnseen ? [null, lastContact, null, null] : [lastContact, lastContact, state.lon, state.lat]),
    onGround || isUnseen ? null : metres(feet),
    onGround,
    Number((state.knots / 1.943844).toFixed(2)),
    state.track,
    onGround ? null : Number(((state.feetPerMinute * 0.3048) / 60).toFixed(2)),
    null,
    onGround || isUnseen ? null : metres(feet + 150),
    index % 5 === 0 ? null : "1000",
    false,
    0,
  ];
}
