import { DAY_MS, HOUR_MS } from "../../../kit/clock.js";
import { feedRoute, rssAnswer } from "../../../simulator/feed-route.js";
import { today } from "../../../simulator/models/days.js";
import {
  type SimulatedAnswer,
  type SimulatedRequest,
  type SimulatedRoute,
  simulatedUpstream,
} from "../../../simulator/upstream.js";

/** The feeds of nine aviation publishers; most use the same software and dialect. */
export const upstream = simulatedUpstream({
  name: "aviation-feeds",
  routes: [
    rss("www.flightglobal.com", "/rss", "plain"),
    rss("simpleflying.com", "/feed/", "media"),
    rss("www.aerotime.aero", "/feed", "wordpress"),
    rss("thepointsguy.com", "/feed/", "wordpress"),
    rss("airlinegeeks.com", "/feed/", "wordpress"),
    rss("onemileatatime.com", "/feed/", "wordpress"),
    rss("viewfromthewing.com", "/feed/", "wordpress"),
    rss("www.aviationpros.com", "/rss", "plain"),
    rss("aviationweek.com", "/rss", "media"),
  ],
});

type Dialect = "plain" | "wordpress" | "media";

function rss(host: string, path: string, dialect: Dialect): SimulatedRoute {
  return feedRoute(host, path, (request) => answerFeed(request, dialect));
}

const subjects = ["Airbus A320neo", "Boeing 737 MAX", "London Heathrow", "Emirates", "Lufthansa", "Delta Air Lines"];
const HOURS = [20, 14, 8, 2];
const DAYS = 5;

function answerFeed({ url, clock }: SimulatedRequest, dialect: Dialect): SimulatedAnswer {
  const now = clock.now();
  const times = Array.from({ length: DAYS }, (_, index) => today(now) - index * DAY_MS)
    .flatMap((day) => HOURS.map((hour) => day + hour * HOUR_MS))
    .filter((at) => at <= now);
  return rssAnswer(
    url.host,
    times.map((at) => itemOf(url.host, at, dialect)),
  );
}

function itemOf(host: string, at: number, dialect: Dialect): string {
  const number = Math.floor(at / (6 * HOUR_MS));
  const subject = subjects[(number + host.length) % subjects.length] ?? "";
  const link = `https://${host}/simulated/${number}/?utm_source=rss`;
  const teaser = `<p>Simulated teaser &#8211; what part ${number} says of ${subject}. ${"More follows here. ".repeat(14)}</p>`;
  const escaped = teaser.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const bodies: Readonly<Record<Dialect, string>> = {
    plain: `<description>${escaped}</description>`,
    wordpress: `<dc:creator><![CDATA[Simulated]]></dc:creator><description><![CDATA[${teaser} [&#8230;]]]></description><content:encoded><![CDATA[${teaser}]]></content:encoded>`,
    media: `<description><![CDATA[${teaser}]]></description><media:content url="https://${host}/${number}.jpg" medium="image"/>`,
  };
  return `<item><title>Simulated: ${subject} &#038; others, part ${number}</title><link>${link.replaceAll("&", "&amp;")}</link><guid isPermaLink="false">https://${host}/?p=${number}</guid><pubDate>${new Date(at).toUTCString()}</pubDate>${bodies[dialect]}</item>\n`;
}
