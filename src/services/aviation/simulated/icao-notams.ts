import { DAY_MS } from "../../../kit/clock.js";
import { keyTrouble } from "../../../simulator/demo-key.js";
import { streamFor } from "../../../simulator/models/random-stream.js";
import {
  rewriteMiddle,
  type SimulatedAnswer,
  type SimulatedRequest,
  simulatedUpstream,
} from "../../../simulator/upstream.js";

/** ICAO's data services: NOTAMs of places, some with their Q code decoded and all with their whole text. */
export const upstream = simulatedUpstream({
  name: "icao-notams",
  credentials: { ICAO_API_KEY: "demo-icao-key" },
  routes: [
    {
      host: "dataservices.icao.int",
      path: "/api/notams-realtime-list",
      handle: answerNotams,
      variants: {
        changed: (json) => `{"notams":${json}}`,
        empty: () => "[]",
        badRow: (json) =>
          rewriteMiddle(json, /\{"id":[^{}]*\}/g, () => '{"id":"A0000/26","Qcode":"MRLC","location":""}'),
      },
    },
  ],
});

interface Wording {
  /** Subject and condition, the last four letters of a Q code. */
  readonly code: string;
  readonly text: string;
  /** Item D) of the NOTAM, its daily hours. */
  readonly hours?: string;
}

const usual: readonly Wording[] = [
  { code: "MRLC", text: "SIMULATED: RWY 09/27 CLSD FOR MAINT", hours: "DLY 0200-0400" },
  { code: "NVAS", text: "SIMULATED: VOR/DME U/S" },
  { code: "OBCE", text: "SIMULATED: CRANE ERECTED 2NM NORTH OF ARP" },
  { code: "MXLC", text: "SIMULATED: TWY B CLSD BTN A1 AND A3" },
];

const closure: Wording = { code: "FALC", text: "SIMULATED: AD CLSD" };

/** NOTAMs that some places have in addition to the usual ones. */
const unusual: Readonly<Record<string, Wording>> = {
  HSSS: { code: "FALC", text: "SIMULATED: AD CLSD DUE TO MILITARY ACTIVITY" },
  UKBB: { code: "FALC", text: "SIMULATED: AERODROME CLOSED UNTIL FURTHER NOTICE" },
  ORBI: { code: "RART", text: "SIMULATED: RESTRICTED AREA ACTIVE SFC-FL200 WI 10NM OF ARP" },
  LTAC: { code: "FALT", text: "SIMULATED: AD AP CLSD TO GENERAL AVIATION EXC STATE ACFT" },
};

function answerNotams({ url, clock, seed }: SimulatedRequest): SimulatedAnswer {
  const json = (status: number, value: unknown): SimulatedAnswer => ({
    status,
    contentType: "application/json; charset=utf-8",
    body: JSON.stringify(value),
  });
  const trouble = keyTrouble(url.searchParams.get("api_key"));
  if (trouble === "wrong") return json(403, { message: "Simulated: a key is required" });
  if (trouble === "spent") return json(200, { message: "Simulated: no calls are left" });
  const places = (url.searchParams.get("locations") ?? "").split(",").filter((place) => place !== "");
  const today = Math.floor(clock.now() / DAY_MS) * DAY_MS;
  return json(
    200,
    places.flatMap((place, index) => noticesOf(place, index, today, seed)),
  );
}

function noticesOf(place: string, index: number, today: number, seed: number): readonly object[] {
  const random = streamFor(seed, `notams ${place} ${today}`);
  const usualCount = 1 + Math.floor(random() * 3);
  const notices = Array.from({ length: usualCount }, (_, row) =>
    noticeOf({
      place,
      wording: usual[Math.floor(random() * usual.length)] ?? closure,
      startAt: today - 58 * DAY_MS,
      endAt: today + (2 + row) * DAY_MS,
      number: index * 10 + row,
    }),
  );
  const special = unusual[place];
  if (special) {
    const isForGood = place === "UKBB";
    const endAt = isForGood ? undefined : today + 30 * DAY_MS;
    notices.push(noticeOf({ place, wording: special, startAt: today - 30 * DAY_MS, endAt, number: 800 + index }));
  }
  // Closures are listed before they begin, and stay listed for a while after they end.
  if (index % 9 === 0) {
    const [startAt, endAt] = [today - 61 * DAY_MS, today - DAY_MS];
    notices.push(noticeOf({ place, wording: closure, startAt, endAt, number: 900 + index }));
  }
  if (index % 9 === 4) {
    const [startAt, endAt] = [today + 3 * DAY_MS, today + 4 * DAY_MS];
    notices.push(noticeOf({ place, wording: closure, startAt, endAt, number: 900 + index }));
  }
  return notices;
}

/** Builds a NOTAM with its whole text. NOTAMs with an even number also have the decoded members. */
function noticeOf(notam: {
  readonly place: string;
  readonly wording: Wording;
  readonly startAt: number;
  /** Undefined for a permanent NOTAM. */
  readonly endAt: number | undefined;
  readonly number: number;
}): object {
  const { place, wording, startAt, endAt, number } = notam;
  const { code, text, hours } = wording;
  const id = `A${String(number).padStart(4, "0")}/26`;
  const end =
    endAt === undefined
      ? "PERM"
      : `${stampOf(endAt)}${number % 3 === 0 && endAt > startAt + 59 * DAY_MS ? " EST" : ""}`;
  const lines = [
    `${id} NOTAMN `,
    `Q) ${place}/Q${code}/IV/NBO/A/000/999/0000N00000E005`,
    `A) ${place} B) ${stampOf(startAt)} C) ${end}`,
    ...(hours === undefined ? [] : [`D) ${hours}`]),
    `E) ${text}`,
    "CREATED: 01 Jan 2026 10:36:00 ",
    `SOURCE: ${place}YNYX`,
  ];
  const decoded = {
    entity: code.slice(0, 2),
    status: code.slice(2),
    Qcode: code,
    message: text,
    startdate: new Date(startAt).toISOString(),
    enddate: endAt === undefined ? "" : new Date(endAt).toISOString(),
  };
  return {
    id,
    ...(number % 2 === 0 && decoded),
    all: lines.join("\n"),
    location: place,
    isICAO: true,
    key: `${id}-${place}`,
    type: "airport",
    StateCode: "SIM",
    StateName: "Simulated",
  };
}

/** Writes an instant as `YYMMDDhhmm` in UTC. */
function stampOf(at: number): string {
  return new Date(at).toISOString().replace(/\D/g, "").slice(2, 12);
}
