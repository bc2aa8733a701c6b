import { DAY_MS, SECOND_MS } from "../../kit/clock.js";
import { keyTrouble } from "../demo-key.js";
import { streamFor } from "../models/random-stream.js";
import { rewriteMiddle, type SimulatedAnswer, type SimulatedRequest, simulatedUpstream } from "../upstream.js";

/** ICAO's data services: NOTAMs of places, with their Q codes and words. */
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
        badRow: (json) => rewriteMiddle(json, /"endvalidity":\d+/g, () => '"endvalidity":"soon"'),
      },
    },
  ],
});

interface Wording {
  readonly code23: string;
  readonly code45: string;
  readonly text: string;
}

const usual: readonly Wording[] = [
  { code23: "MR", code45: "LC", text: "SIMULATED: RWY 09/27 CLSD FOR MAINT" },
  { code23: "NV", code45: "AS", text: "SIMULATED: VOR/DME U/S" },
  { code23: "OB", code45: "CE", text: "SIMULATED: CRANE ERECTED 2NM NORTH OF ARP" },
  { code23: "MX", code45: "LC", text: "SIMULATED: TWY B CLSD BTN A1 AND A3" },
];

/** Places where something else is in force. */
const unusual: Readonly<Record<string, Wording>> = {
  HSSS: { code23: "FA", code45: "LC", text: "SIMULATED: AD CLSD DUE TO MILITARY ACTIVITY" },
  UKBB: { code23: "FA", code45: "LC", text: "SIMULATED: AERODROME CLOSED UNTIL FURTHER NOTICE" },
  ORBI: { code23: "RA", code45: "RT", text: "SIMULATED: RESTRICTED AREA ACTIVE SFC-FL200 WI 10NM OF ARP" },
  LTAC: { code23: "FA", code45: "LT", text: "SIMULATED: AD AP CLSD TO GENERAL AVIATION EXC STATE ACFT" },
};

function answerNotams({ url, clock, seed }: SimulatedRequest): SimulatedAnswer {
  const json = (status: number, value: unknown): SimulatedAnswer => ({
    ...{ status, contentType: "application/json; charset=utf-8" },
    body: JSON.stringify(value),
  });
  const trouble = keyTrouble(url.searchParams.get("api_key"));
  if (trouble === "wrong") return json(403, { message: "Simulated: a key is required" });
  if (trouble === "spent") return json(200, { message: "Simulated: no calls are left" });
  const places = (url.searchParams.get("locations") ?? "").split(",").filter((place) => place !== "");
  const today = Math.floor(clock.now() / DAY_MS) * DAY_MS;
  return json(
    200,
    places.flatMap((place, index) => {
      const random = streamFor(seed, `notams ${place} ${today}`);
      const some = Array.from(
        { length: 1 + Math.floor(random() * 3) },
        () => usual[Math.floor(random() * usual.length)],
      );
      const rows = some.map((wording, row) => noticeOf(place, wording, today + (2 + row) * DAY_MS, index * 10 + row));
      const special = unusual[place];
      // One that is over, as the list goes on to hold for a while.
      const expired =
        index % 9 === 0
          ? [noticeOf(place, { code23: "FA", code45: "LC", text: "SIMULATED: AD CLSD" }, today - DAY_MS, 900 + index)]
          : [];
      return [...rows, ...(special ? [noticeOf(place, special, today + 30 * DAY_MS, 800 + index)] : []), ...expired];
    }),
  );
}

function noticeOf(place: string, wording: Wording | undefined, endAt: number, number: number): object {
  const id = `A${String(number).padStart(4, "0")}/26`;
  const { code23, code45, text } = wording ?? { code23: "", code45: "", text: "" };
  return {
    ...{ id, key: `${id}-${place}`, location: place, itema: place, iteme: text, code23, code45, isICAO: true },
    ...{ startvalidity: (endAt - 60 * DAY_MS) / SECOND_MS, endvalidity: endAt / SECOND_MS },
  };
}
