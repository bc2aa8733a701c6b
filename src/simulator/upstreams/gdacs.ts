import { DAY_MS } from "../../kit/clock.js";
import { today } from "../models/days.js";
import { type Place, places } from "../models/places.js";
import { streamFor } from "../models/random-stream.js";
import { rewriteMiddle, type SimulatedAnswer, type SimulatedRequest, simulatedUpstream } from "../upstream.js";

/** GDACS' alerts as RSS: a byte order mark before the document and a comment after it. */
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

interface Alert {
  readonly id: number;
  readonly kind: (typeof KINDS)[number];
  readonly level: (typeof LEVELS)[number];
  readonly at: number;
  readonly place: Place;
  readonly neighbour: Place | undefined;
}

/** One or two alerts begin every other day, and stay in the list for thirty. */
function alertsBy(now: number, seed: number): readonly Alert[] {
  const first = today(now) / DAY_MS - WINDOW_DAYS;
  return Array.from({ length: WINDOW_DAYS + 1 }, (_, index) => first + index).flatMap((day) => {
    const random = streamFor(seed, `gdacs ${day}`);
    if (random() < 0.45) return [];
    const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
    const at = day * DAY_MS + Math.floor(random() * 86_400) * 1_000;
    const [kind, level, place] = [pick(KINDS), pick(LEVELS), pick(places)];
    const neighbour = random() < 0.2 ? pick(places) : undefined;
    return at <= now ? [{ id: 1_000_000 + day, kind, level, at, place, neighbour }] : [];
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
  const country = neighbour && neighbour !== place ? `${place.name}, ${neighbour.name}` : place.name;
  const date = new Date(at).toUTCString();
  const isCurrent = now - at < 14 * DAY_MS;
  return `<item>
<title>Simulated: ${level} alert for ${WORDS[kind]} in ${country}</title>
<description>Simulated ${WORDS[kind]} that began on ${date.slice(5, 16)}.</description>
<link>https://www.gdacs.org/report.aspx?eventtype=${kind}&amp;eventid=${id}</link>
<pubDate>${date}</pubDate>
<gdacs:iscurrent>${isCurrent}</gdacs:iscurrent>
<gdacs:fromdate>${date}</gdacs:fromdate>
<gdacs:todate>${new Date(Math.min(now, at + 5 * DAY_MS)).toUTCString()}</gdacs:todate>
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
<gdacs:iso3>${place.alpha3}</gdacs:iso3>
<gdacs:country>${country.replaceAll("&", "&amp;")}</gdacs:country>
</item>
`;
}
