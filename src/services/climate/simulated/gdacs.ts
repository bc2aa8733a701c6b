import { DAY_MS, MINUTE_MS } from "../../../kit/clock.js";
import { today } from "../../../simulator/models/days.js";
import { type Place, places } from "../../../simulator/models/places.js";
import { streamFor } from "../../../simulator/models/random-stream.js";
import {
  rewriteMiddle,
  type SimulatedAnswer,
  type SimulatedRequest,
  simulatedUpstream,
} from "../../../simulator/upstream.js";

/**
 * Simulates GDACS's alerts as RSS, with a byte order mark before the document and a comment after it. Simulates the
 * JSON map of GDACS as out of service: every request for the map gets a 400.
 */
export const upstream = simulatedUpstream({
  name: "gdacs",
  routes: [
    {
      host: "www.gdacs.org",
      path: "/xml/rss.xml",
      handle: answerFeed,
      variants: {
        changed: (xml) => xml.replaceAll("gdacs:eventtype", "gdacs:kind").replaceAll("gdacs:fromdate", "gdacs:begin"),
        empty: (xml) => xml.replace(/<item>[\s\S]*<\/item>\n/, ""),
        badRow: (xml) =>
          rewriteMiddle(xml, /<item>[\s\S]*?<\/item>/g, (item) =>
            item.replace(/<gdacs:fromdate>[^<]*/, "<gdacs:fromdate>2019-13-45"),
          ),
      },
    },
    {
      host: "www.gdacs.org",
      path: "/gdacsapi/api/events/geteventlist/MAP",
      handle: () => ({ status: 400, contentType: "text/plain", body: "Simulated: Bad Request\n" }),
      variants: { changed: (text) => text, empty: () => "", badRow: (text) => text },
    },
  ],
});

const KINDS = ["FL", "TC", "DR", "WF", "VO", "EQ"] as const;
const WORDS = {
  FL: "flood",
  TC: "tropical cyclone",
  DR: "drought",
  WF: "forest fire",
  VO: "volcanic eruption",
  EQ: "earthquake",
};
const LEVELS = ["Green", "Orange", "Orange", "Red"] as const;
const WINDOW_DAYS = 30;
/** Time between the announcement of a storm and its beginning. */
const ANNOUNCED_MS = DAY_MS;

interface Alert {
  readonly id: number;
  readonly kind: (typeof KINDS)[number];
  readonly level: (typeof LEVELS)[number];
  readonly at: number;
  readonly place: Place;
  readonly neighbour: Place | undefined;
}

/**
 * Builds the list of alerts. On about every other day, one event begins; its alert stays in the list for thirty days.
 */
function alertsBy(now: number, seed: number): readonly Alert[] {
  const first = today(now) / DAY_MS - WINDOW_DAYS;
  return Array.from({ length: WINDOW_DAYS + 2 }, (_, index) => first + index).flatMap((day) => {
    const random = streamFor(seed, `gdacs ${day}`);
    if (random() < 0.45) return [];
    const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
    const at = day * DAY_MS + Math.floor(random() * 86_400) * 1_000;
    const [kind, level, place] = [pick(KINDS), pick(LEVELS), pick(places)];
    const neighbour = random() < 0.2 ? pick(places) : undefined;
    return at - (kind === "TC" ? ANNOUNCED_MS : 0) <= now
      ? [{ id: 1_000_000 + day, kind, level, at, place, neighbour }]
      : [];
  });
}

function answerFeed({ clock, seed }: SimulatedRequest): SimulatedAnswer {
  const now = clock.now();
  const items = alertsBy(now, seed)
    .toReversed()
    .map((alert) => itemOf(alert, now));
  const body = `\ufeff<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:geo="http://www.w3.org/2003/01/geo/wgs84_pos#" xmlns:gdacs="http://www.gdacs.org" xmlns:georss="http://www.georss.org/georss" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>Simulated GDACS alerts</title>
<link>https://www.gdacs.org/</link>
<description>Simulated alerts, in the layout of GDACS</description>
<pubDate>${new Date(now).toUTCString()}</pubDate>
<atom:link href="https://www.gdacs.org/xml/rss.xml" rel="self" type="application/rss+xml" />
${items.join("")}</channel>
</rss>
<!-- simulated in 3 ms -->
`;
  return { status: 200, contentType: "application/xml", body };
}

function itemOf({ id, kind, level, at, place, neighbour }: Alert, now: number): string {
  const { latitude, longitude } = place;
  const countries = (neighbour && neighbour !== place ? [place, neighbour] : [place]).toSorted((a, b) =>
    a.name.localeCompare(b.name),
  );
  const country = countries.map(({ name }) => name).join(", ");
  const date = new Date(at).toUTCString();
  // The feed gives an ongoing drought an end that is two minutes ago, and marks the drought as over. The feed still
  // marks every other event as current for some days after its end.
  const end = kind === "DR" ? now - 2 * MINUTE_MS : Math.min(Math.max(now, at), at + 5 * DAY_MS);
  const isCurrent = kind !== "DR" && now - at < 14 * DAY_MS;
  return `<item>
<title>Simulated: ${level} alert for ${WORDS[kind]} in ${country}</title>
<description>Simulated ${WORDS[kind]} that began on ${date.slice(5, 16)}.</description>
<link>https://www.gdacs.org/report.aspx?eventtype=${kind}&amp;eventid=${id}</link>
<pubDate>${new Date(Math.min(at, now)).toUTCString()}</pubDate>
<gdacs:iscurrent>${isCurrent}</gdacs:iscurrent>
<gdacs:fromdate>${date}</gdacs:fromdate>
<gdacs:todate>${new Date(end).toUTCString()}</gdacs:todate>
<dc:subject>${kind}1</dc:subject>
<guid isPermaLink="false">${kind}${id}</guid>
<geo:Point><geo:lat>${latitude}</geo:lat><geo:long>${longitude}</geo:long></geo:Point>
<!--gdacs:bbox format = lonmin lonmax latmin latmax-->
<gdacs:bbox>${longitude - 4} ${longitude + 4} ${latitude - 4} ${latitude + 4}</gdacs:bbox>
<georss:point>${latitude} ${longitude}</georss:point>
<gdacs:eventtype>${kind}</gdacs:eventtype>
<gdacs:alertlevel>${level}</gdacs:alertlevel>
<gdacs:eventname>${kind === "TC" ? `SIMULATED-${id % 100}` : ""}</gdacs:eventname>
<gdacs:eventid>${id}</gdacs:eventid>
<gdacs:severity unit="" value="0">Simulated</gdacs:severity>
${populationOf(kind, id % 1_000)}
<gdacs:iso3>${countries[0]?.alpha3}</gdacs:iso3>
<gdacs:country>${country.replaceAll("&", "&amp;")}</gdacs:country>
</item>
`;
}

/**
 * Writes the `population` element of an alert. The element's meaning depends on the kind of alert: storms count people
 * exposed to the wind, floods count deaths, droughts count nothing.
 */
function populationOf(kind: Alert["kind"], thousands: number): string {
  const element = (unit: string, value: number, words: string): string =>
    `<gdacs:population unit="${unit}" value="${value}">${words}</gdacs:population>`;
  const people = thousands * 1_000;
  switch (kind) {
    case "TC":
      return element(
        "Pop74",
        people,
        `Population affected by Category 1 (120 km/h) wind speeds or higher is ${people}`,
      );
    case "FL":
      return element("Population Affected", 0, "0 deaths ");
    case "WF":
      return element("", thousands, `${thousands} people affected in the area`);
    case "EQ":
    case "VO":
      return element("Population in 100km", people, `${people} people within 100km`);
    case "DR":
      return element("", 0, "");
  }
}
