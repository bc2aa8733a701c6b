import { createHash } from "node:crypto";
import { DAY_MS, MINUTE_MS } from "../../../kit/clock.js";
import { isoDay } from "../../../simulator/models/days.js";
import { streamFor } from "../../../simulator/models/random-stream.js";
import {
  rewriteMiddle,
  type SimulatedAnswer,
  type SimulatedRequest,
  simulatedUpstream,
} from "../../../simulator/upstream.js";
import { zipOf } from "../../../simulator/zip.js";
import { incidentFrom } from "./models/violence.js";

const HOST = "storage.googleapis.com";
const FOLDER = "/data.gdeltproject.org/gdeltv2/";

/**
 * Simulates GDELT: a zipped table of events (an export) every 15 minutes, and the list of exports. The list contains
 * only the newest exports.
 */
export const upstream = simulatedUpstream({
  name: "gdelt",
  routes: [
    {
      host: HOST,
      path: `${FOLDER}masterfilelist.txt`,
      handle: answerList,
      variants: {
        changed: (list) => list.replaceAll(/ [0-9a-f]{32} /g, " - "),
        empty: () => "\n",
        badRow: (list) => rewriteMiddle(list, /^\d+ /gm, () => "many "),
      },
    },
    {
      host: HOST,
      path: `${FOLDER}*`,
      handle: answerExport,
      // The faulty variants are plain text, because the content of a zip cannot be edited as text.
      variants: { changed: () => "no archive", empty: () => "", badRow: () => "no archive" },
    },
  ],
});

const SLOT_MS = 15 * MINUTE_MS;
const SLOTS_LISTED = 64;
const EVENTS = 40;

function answerList({ headers, clock, seed }: SimulatedRequest): SimulatedAnswer {
  const newest = Math.floor(clock.now() / SLOT_MS);
  const lines = Array.from({ length: SLOTS_LISTED }, (_, index) => newest - SLOTS_LISTED + 1 + index).flatMap(
    (slot) => {
      const zip = exportOf(seed, slot);
      const others = ["mentions", "gkg"].map(
        (name) => `${fakeSize(name)} ${md5(name + slot)} ${urlOf(slot, name, "csv")}`,
      );
      return [`${zip.byteLength} ${md5(zip)} ${urlOf(slot, "export", "CSV")}`, ...others];
    },
  );
  const list = `${lines.join("\n")}\n`;
  const length = Number(/^bytes=-(\d+)$/.exec(headers.range ?? "")?.[1] ?? list.length);
  const body = list.slice(-length);
  if (body.length === list.length) return { status: 200, contentType: "text/plain", body };
  const range = `bytes ${list.length - body.length}-${list.length - 1}/${list.length}`;
  return { status: 206, contentType: "text/plain", body, headers: { "Content-Range": range } };
}

function answerExport({ url, clock, seed }: SimulatedRequest): SimulatedAnswer {
  const [, year, month, day, hour, minute] = (
    /(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)00\.export\.CSV\.zip$/.exec(url.pathname) ?? []
  ).map(Number);
  const at = Date.UTC(year ?? Number.NaN, (month ?? 0) - 1, day, hour, minute);
  if (!(at <= clock.now()) || at % SLOT_MS !== 0) return { status: 404, contentType: "text/plain", body: "NoSuchKey" };
  return { status: 200, contentType: "application/zip", body: exportOf(seed, at / SLOT_MS), etag: true };
}

const exports = new Map<string, Buffer>();
const EXPORTS_KEPT = 256;

/** Returns the zipped table of a quarter of an hour. Tables are cached, because they are requested repeatedly. */
function exportOf(seed: number, slot: number): Buffer {
  const key = `${seed} ${slot}`;
  const cached = exports.get(key);
  if (cached) return cached;
  const lines = Array.from({ length: EVENTS }, (_, index) => eventOf(seed, slot, index).join("\t"));
  const zip = zipOf(`${stampOf(slot)}.export.CSV`, `${lines.join("\n")}\n`);
  if (exports.size >= EXPORTS_KEPT) exports.clear();
  exports.set(key, zip);
  return zip;
}

/** FIPS 10-4 codes that differ from ISO. */
const fipsOf: Readonly<Record<string, string>> = {
  BF: "UV",
  CD: "CG",
  CF: "CT",
  IQ: "IZ",
  MM: "BM",
  NE: "NG",
  NG: "NI",
  SD: "SU",
  SS: "OD",
  TD: "CD",
  UA: "UP",
  YE: "YM",
};

/**
 * Creates a row of 61 columns. A third of the rows are not about violence. In some rows, the place is only a country. A
 * few rows have no place.
 */
function eventOf(seed: number, slot: number, index: number): readonly string[] {
  const random = streamFor(seed, `gdelt ${slot} ${index}`);
  const { place, division, latitude, longitude, sides } = incidentFrom(random);
  const root = ["04", "19", "18", "11", "19", "20"][index % 6] ?? "";
  const isViolent = root > "17";
  // A third of the events happened on the previous day, and a few 31 days ago.
  const daysAgo = index % 13 === 1 ? 31 : index % 3 === 1 ? 1 : 0;
  const date = isoDay(slot * SLOT_MS - daysAgo * DAY_MS).replaceAll("-", "");
  const kind = index % 10 === 4 ? "1" : index % 10 === 8 ? "0" : "4";
  const fips = kind === "0" ? "" : (fipsOf[place.alpha2] ?? place.alpha2);
  const name = kind === "4" ? `Simulated, Division ${division}, ${place.name}` : kind === "1" ? place.name : "";
  const position = kind === "0" ? ["", ""] : [String(latitude), String(longitude)];
  const cells: Readonly<Record<number, string>> = {
    0: String(slot * 100 + index),
    1: date,
    2: date.slice(0, 6),
    3: date.slice(0, 4),
    6: sides[0].toUpperCase(),
    16: index % 4 === 0 ? "" : sides[1].toUpperCase(),
    25: index % 7 === 2 ? "0" : "1",
    26: `${root}0`,
    27: `${root}0`,
    28: root,
    29: isViolent ? "4" : "1",
    30: isViolent ? "-10.0" : "1.0",
    31: "4",
    32: "1",
    33: "4",
    34: "-2.5",
    35: "0",
    43: "0",
    51: kind,
    52: name,
    53: fips,
    54: fips && `${fips}0${division}`,
    56: position[0] ?? "",
    57: position[1] ?? "",
    59: stampOf(slot),
    60: `https://news.example/${slot}/${index}`,
  };
  return Array.from({ length: 61 }, (_, column) => cells[column] ?? "");
}

function stampOf(slot: number): string {
  return new Date(slot * SLOT_MS).toISOString().replace(/\D/g, "").slice(0, 14);
}

function urlOf(slot: number, name: string, extension: string): string {
  return `http://data.gdeltproject.org/gdeltv2/${stampOf(slot)}.${name}.${extension}.zip`;
}

function md5(content: string | Buffer): string {
  return createHash("md5").update(content).digest("hex");
}

function fakeSize(name: string): number {
  return 100_000 + name.length;
}
