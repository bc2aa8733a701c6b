import { DAY_MS, SECOND_MS } from "../../../kit/clock.js";
import { keyTrouble } from "../../../simulator/demo-key.js";
import { demoTokens } from "../../../simulator/demo-tokens.js";
import { dayAt, isoDay, today } from "../../../simulator/models/days.js";
import { streamFor } from "../../../simulator/models/random-stream.js";
import {
  rewriteMiddle,
  type SimulatedAnswer,
  type SimulatedRequest,
  simulatedUpstream,
} from "../../../simulator/upstream.js";
import { incidentFrom } from "./models/violence.js";

const EMAIL = "demo@acled.example";
const PASSWORD = "demo-acled-password";
const TOKEN_SECONDS = 86_400;
const tokens = demoTokens("acled", TOKEN_SECONDS);
/** Tokens of an account that has used up its quota. */
const spentTokens = demoTokens("acled-spent", TOKEN_SECONDS);
/** Tokens of an account without access to events. ACLED issues them like any other tokens. */
const deniedTokens = demoTokens("acled-denied", TOKEN_SECONDS);

/**
 * Simulates ACLED: issues tokens for a username and password, and serves paged events for every day up to yesterday.
 * Coordinates are strings. Counts of deaths are numbers, or empty strings if they are unknown.
 */
export const upstream = simulatedUpstream({
  name: "acled",
  credentials: { ACLED_EMAIL: EMAIL, ACLED_PASSWORD: PASSWORD },
  routes: [
    {
      host: "acleddata.com",
      path: "/oauth/token",
      methods: ["POST"],
      handle: grantToken,
      variants: {
        changed: (json) => json.replace('"access_token":', '"accessToken":'),
        empty: () => "{}",
        badRow: (json) => json.replace(/"access_token":"[^"]*"/, '"access_token":7'),
      },
    },
    {
      host: "acleddata.com",
      path: "/api/acled/read",
      handle: readEvents,
      variants: {
        changed: (json) => json.replace('"data":', '"rows":'),
        empty: (json) => json.replace(/"data":\[.*\]/s, '"data":[]'),
        badRow: (json) => rewriteMiddle(json, /"event_date":"[^"]*"/g, () => '"event_date":"2019-13-45"'),
      },
    },
  ],
});

function grantToken({ body, clock }: SimulatedRequest): SimulatedAnswer {
  const form = new URLSearchParams(body);
  const isSpent = keyTrouble(form.get("username")) === "spent";
  const isDenied = form.get("username")?.startsWith("denied") === true;
  const isKnown = (isSpent || isDenied || form.get("username") === EMAIL) && form.get("password") === PASSWORD;
  if (form.get("grant_type") !== "password" || form.get("client_id") !== "acled" || !isKnown) {
    return json(400, { error: "invalid_grant", error_description: "The user credentials were incorrect." });
  }
  const ofAccount = isSpent ? spentTokens : isDenied ? deniedTokens : tokens;
  const token = ofAccount.issue(clock.now());
  return json(200, { token_type: "Bearer", expires_in: TOKEN_SECONDS, access_token: token, refresh_token: token });
}

const EVENTS_A_DAY = 14;
const types = [
  { event: "Battles", sub: "Armed clash" },
  { event: "Explosions/Remote violence", sub: "Shelling/artillery/missile attack" },
  { event: "Violence against civilians", sub: "Attack" },
];

function readEvents({ url, headers, clock, seed }: SimulatedRequest): SimulatedAnswer {
  if (spentTokens.isValid(headers.authorization, clock.now())) {
    return json(200, {
      status: 429,
      success: false,
      error: [{ status: 429, message: "Simulated: no calls are left" }],
    });
  }
  if (deniedTokens.isValid(headers.authorization, clock.now())) return json(403, { message: "Access denied." });
  if (!tokens.isValid(headers.authorization, clock.now())) return json(401, { message: "Unauthenticated." });
  const query = url.searchParams;
  const [from = "", to = from] = (query.get("event_date") ?? "").split("|");
  const limit = Number(query.get("limit") ?? 5_000);
  const first = (Number(query.get("page") ?? 1) - 1) * limit;
  const last = Math.min(Date.parse(to), today(clock.now()) - DAY_MS);
  const rows: Readonly<Record<string, string | number>>[] = [];
  for (let day = last; day >= Date.parse(from); day -= DAY_MS) {
    for (const [index, type] of types.entries()) {
      if (query.get("event_type") !== type.event) continue;
      for (let count = 0; count < EVENTS_A_DAY; count += 1) rows.push(eventOf(seed, day, index, count));
    }
  }
  const data = rows.slice(first, first + limit).map((row) => only(row, query.get("fields")));
  return json(200, {
    status: 200,
    success: true,
    // Both counts are null, as in real answers since 2026.
    count: null,
    total_count: null,
    messages: [],
    data,
    filename: `${from}-${to}`,
  });
}

function only(
  row: Readonly<Record<string, string | number>>,
  fields: string | null,
): Readonly<Record<string, string | number>> {
  if (fields === null) return row;
  return Object.fromEntries(fields.split("|").flatMap((field) => (field in row ? [[field, row[field] ?? ""]] : [])));
}

/** Creates an event. Some events have no coordinates, no second actor or no count of deaths. */
function eventOf(seed: number, day: number, type: number, count: number): Readonly<Record<string, string | number>> {
  const { place, division, latitude, longitude, sides, deaths } = incidentFrom(
    streamFor(seed, `acled ${day} ${type} ${count}`),
  );
  const serial = (day / DAY_MS) * 100 + type * 20 + count;
  const isPlaceless = count === 5 && type === 0;
  return {
    event_id_cnty: `${place.alpha3}${serial}`,
    event_date: isoDay(day),
    year: dayAt(day).year,
    disorder_type: "Political violence",
    event_type: types[type]?.event ?? "",
    sub_event_type: types[type]?.sub ?? "",
    actor1: sides[0],
    assoc_actor_1: "",
    actor2: count % 5 === 0 ? "" : sides[1],
    assoc_actor_2: "",
    country: place.name,
    admin1: `Division ${division}`,
    admin2: "",
    admin3: "",
    location: "Simulated",
    latitude: isPlaceless ? "" : String(latitude),
    longitude: isPlaceless ? "" : String(longitude),
    source: "Simulated News; Simulated Radio",
    source_scale: "National",
    notes: "This event is simulated.",
    fatalities: count % 11 === 3 ? "" : deaths,
    tags: "",
    timestamp: day / SECOND_MS,
  };
}

/** Builds a JSON answer with escaped slashes, as ACLED sends it. */
function json(status: number, value: object): SimulatedAnswer {
  return { status, contentType: "application/json", body: JSON.stringify(value).replaceAll("/", "\\/") };
}
