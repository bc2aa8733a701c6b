import { airports } from "../../../geography/airports.js";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../kit/clock.js";
import { counted } from "../../../kit/counted.js";
import { streamFor } from "../../../simulator/models/random-stream.js";
import {
  rewriteMiddle,
  type SimulatedAnswer,
  type SimulatedRequest,
  simulatedUpstream,
} from "../../../simulator/upstream.js";

/** The FAA's status of the National Airspace System: one line of XML without empty sections. */
export const upstream = simulatedUpstream({
  name: "faa-nas-status",
  routes: [
    {
      host: "nasstatus.faa.gov",
      path: "/api/airport-status-information",
      handle: answerStatus,
      variants: {
        changed: (xml) => xml.replaceAll(/<(\/?)(ARPT|Update_Time)>/g, "<$1New_$2>"),
        empty: (xml) => xml.replace(/<Update_Time>.*(?=<\/AIRPORT_STATUS_INFORMATION>)/, ""),
        badRow: (xml) => rewriteMiddle(xml, /<Avg>[^<]*/g, () => "<Avg>a while"),
      },
    },
  ],
});

const codes = airports.filter(({ countryCode }) => countryCode === "US").map(({ iata }) => iata);
const reasons = ["low ceilings", "WX:Wind", "VOL:Volume", "runway construction", "thunderstorms", "other"];

function answerStatus({ clock, seed }: SimulatedRequest): SimulatedAnswer {
  const now = clock.now();
  const random = streamFor(seed, `faa ${Math.floor(now / HOUR_MS)}`);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const some = (most: number): string[] => Array.from({ length: 1 + Math.floor(random() * most) }, () => pick(codes));
  const programmes = [...some(3), "YUL"].map((code) => {
    const minutes = 15 + Math.floor(random() * 170);
    return `<Ground_Delay><ARPT>${code}</ARPT><Reason>${pick(reasons)}</Reason><Avg>${words(minutes)}</Avg><Max>${words(minutes * 2)}</Max></Ground_Delay>`;
  });
  const stops =
    random() < 0.3
      ? some(2).map(
          (code) =>
            `<Program><ARPT>${code}</ARPT><Reason>${pick(reasons)}</Reason><End_Time>11:00 pm EDT</End_Time></Program>`,
        )
      : [];
  const delays = some(3).map((code) => {
    const min = 16 + 15 * Math.floor(random() * 4);
    const direction = random() < 0.6 ? "Departure" : "Arrival";
    return `<Delay><ARPT>${code}</ARPT><Reason>${pick(reasons)}</Reason><Arrival_Departure Type="${direction}"><Min>${words(min)}</Min><Max>${words(min + 14)}</Max><Trend>Increasing</Trend></Arrival_Departure></Delay>`;
  });
  const body = [
    `<AIRPORT_STATUS_INFORMATION><Update_Time>${updateTime(now)}</Update_Time><Dtd_File>http://www.fly.faa.gov/AirportStatus.dtd</Dtd_File>`,
    section("Ground Stop Programs", "Ground_Stop_List", stops),
    section("Ground Delay Programs", "Ground_Delay_List", programmes),
    section("General Arrival/Departure Delay Info", "Arrival_Departure_Delay_List", delays),
    // Two sections with the same name list closures. Most closures do not affect scheduled flights.
    section("Airport Closures", "Airport_Closure_List", [
      closure("SNA", "AD AP CLSD DLY 0630-1315", now - 20 * DAY_MS, now + 4 * DAY_MS),
      closure(pick(codes), "AD AP CLSD DLY 0430-0945", now - 20 * DAY_MS, now + 40 * DAY_MS),
    ]),
    section("Airport Closures", "Airport_Closure_List", [
      closure("LAX", "AD AP CLSD TO NON SKED TRANSIENT GA ACFT EXC 24HR PPR", now - 178 * DAY_MS, now + 188 * DAY_MS),
      closure("HNL", "AD AP CLSD TO F-35 VTOL", now - 142 * DAY_MS, now + 42 * DAY_MS),
    ]),
    "</AIRPORT_STATUS_INFORMATION>",
  ].join("");
  return { status: 200, contentType: "application/xml", body };
}

function section(name: string, list: string, rows: readonly string[]): string {
  return rows.length === 0 ? "" : `<Delay_type><Name>${name}</Name><${list}>${rows.join("")}</${list}></Delay_type>`;
}

function closure(code: string, text: string, startAt: number, endAt: number): string {
  const [start, end] = [startAt, endAt].map((at) => Math.floor(at / DAY_MS) * DAY_MS + 4 * HOUR_MS + 30 * MINUTE_MS);
  const notice = `!${code} 11/028 ${code} ${text} ${stamp(start ?? 0)}-${stamp(end ?? 0)}`;
  return `<Airport><ARPT>${code}</ARPT><Reason>${notice}</Reason><Start>${dayWithoutYear(start ?? 0)}</Start><Reopen>${dayWithoutYear(end ?? 0)}</Reopen></Airport>`;
}

/** Writes a duration such as "2 hours and 59 minutes". */
function words(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const parts = [...(hours > 0 ? [counted(hours, "hour")] : []), counted(minutes % 60, "minute")];
  return parts.join(" and ");
}

/** Writes a time such as "Mon Oct 5 21:50:19 2026 GMT", in which the day is not padded. */
function updateTime(at: number): string {
  const [, day = "", month = "", year = "", time = ""] =
    /, (\d\d) (\w{3}) (\d{4}) ([\d:]+)/.exec(new Date(at).toUTCString()) ?? [];
  return `${new Date(at).toUTCString().slice(0, 3)} ${month} ${Number(day)} ${time} ${year} GMT`;
}

function dayWithoutYear(at: number): string {
  const [, day, month, , time] = /, (\d\d) (\w{3}) (\d{4}) (\d\d:\d\d)/.exec(new Date(at).toUTCString()) ?? [];
  return `${month} ${day} at ${time} UTC.`;
}

function stamp(at: number): string {
  return new Date(at).toISOString().slice(2, 16).replace(/\D/g, "");
}
