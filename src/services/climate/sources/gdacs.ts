import { Type } from "typebox";
import { BadRow, SourceFailure, source } from "../../../contract/source.js";
import { alpha2 } from "../../../geography/countries.js";
import type { DisasterType, StoredDisaster } from "../records.js";
import { severityNamed } from "../severity.js";

/** Event types of GDACS that are climate disasters; earthquakes and tsunamis are not. */
const typeOf: Readonly<Record<string, DisasterType>> = {
  FL: "flood",
  TC: "cyclone",
  DR: "drought",
  WF: "wildfire",
  VO: "volcano",
};

const Text = Type.String();

/** Alerts of orange and red level from the Global Disaster Alert and Coordination System. */
export const gdacs = source({
  id: "gdacs",
  title: "GDACS, disaster alerts (RSS)",
  home: "https://www.gdacs.org/",
  seen: "recorded",
  licence: {
    name: "Reuse with credit",
    url: "https://www.gdacs.org/About/termofuse.aspx",
    attribution: "Global Disaster Alert and Coordination System (GDACS), European Commission and United Nations",
    open: true,
  },
  credentials: [],
  requests: (_plan: object) => [
    { key: "rss", url: "https://www.gdacs.org/xml/rss.xml", format: { kind: "xml", root: "rss", lists: ["item"] } },
  ],
  row: Type.Object(
    {
      guid: Type.Unknown(),
      title: Text,
      eventtype: Text,
      alertlevel: Text,
      fromdate: Text,
      pubDate: Type.Optional(Text),
      todate: Type.Optional(Text),
      link: Type.Optional(Text),
      iscurrent: Type.Optional(Text),
      eventname: Type.Optional(Text),
      country: Type.Optional(Text),
      iso3: Type.Optional(Text),
      Point: Type.Optional(Type.Unknown()),
    },
    { additionalProperties: true },
  ),
  *rows(rss) {
    const channel = rss["channel"];
    if (typeof channel !== "object" || !("title" in channel))
      throw new SourceFailure("changed", "expected rss/channel");
    const items = channel["item"];
    if (Array.isArray(items)) yield* items;
  },
  recordsMin: 0,
  record(item): StoredDisaster | undefined {
    const [type, severity] = [typeOf[item.eventtype], severityNamed(item.alertlevel) ?? severityNamed(item.title)];
    const startedAt = instantOf(item.fromdate);
    const id = textOf(item.guid);
    if (id === "") throw new BadRow("an alert without guid");
    const country = item.country ?? "";
    if (!type || severity === "green" || country === "") return undefined;
    const countryCode = alpha2(item.iso3 ?? "");
    return {
      id: `gdacs-${id}`,
      type,
      name: item.eventname || item.title,
      country,
      ...(countryCode !== undefined && { countryCode }),
      ...pointOf(item.Point),
      ...(severity !== undefined && { severity }),
      status: item.iscurrent === "false" ? "past" : "ongoing",
      startedAt,
      source: "GDACS",
      ...(item.link !== undefined && isWebAddress(item.link) && { sourceUrl: item.link }),
      observedAt: item.todate ? instantOf(item.todate) : startedAt,
    };
  },
  observedAt: ({ observedAt }) => observedAt,
});

function instantOf(text: string): number {
  // RFC 822 with a zone, which is what the feed writes; anything looser would be a guess.
  const at = /^\w{3}, \d{1,2} \w{3} \d{4} \d{2}:\d{2}:\d{2} (?:GMT|[+-]\d{4})$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  if (Number.isNaN(at)) throw new BadRow(`"${text.slice(0, 40)}" is not a date`);
  return at;
}

/** Coordinates of a geo:Point; absent where it has none. */
function pointOf(point: unknown): { lat: number; lng: number } | undefined {
  if (typeof point !== "object" || point === null || !("lat" in point) || !("long" in point)) return undefined;
  const [lat, lng] = [textOf(point.lat), textOf(point.long)].map((text) => (text === "" ? Number.NaN : Number(text)));
  if (lat === undefined || lng === undefined || !(Math.abs(lat) <= 90) || !(Math.abs(lng) <= 180)) {
    throw new BadRow("a point outside the world");
  }
  return { lat, lng };
}

/** Text of an element with or without attributes. */
function textOf(node: unknown): string {
  if (typeof node === "string") return node;
  const inner: unknown = typeof node === "object" && node !== null && "#text" in node ? node["#text"] : undefined;
  return typeof inner === "string" ? inner : "";
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\//.test(text);
}
