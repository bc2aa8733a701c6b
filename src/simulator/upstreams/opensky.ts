import { SECOND_MS } from "../../kit/clock.js";
import { type AircraftState, aircraftAt } from "../models/aircraft.js";
import { rewriteMiddle, type SimulatedAnswer, type SimulatedRequest, simulatedUpstream } from "../upstream.js";

/** OpenSky's state vectors: lists of 17 places, null where nothing was heard. */
export const upstream = simulatedUpstream({
  name: "opensky",
  routes: [
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

function answerStates({ url, clock, seed }: SimulatedRequest): SimulatedAnswer {
  const given = (name: string): number | undefined => {
    const text = url.searchParams.get(name);
    return text === null ? undefined : Number(text);
  };
  const icao24 = url.searchParams.getAll("icao24").map((text) => text.toLowerCase());
  const [south = -90, north = 90, west = -180, east = 180] = ["lamin", "lamax", "lomin", "lomax"].map(given);
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
