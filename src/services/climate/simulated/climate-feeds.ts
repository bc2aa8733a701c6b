import { DAY_MS, HOUR_MS } from "../../../kit/clock.js";
import { feedRoute, rssAnswer } from "../../../simulator/feed-route.js";
import { today } from "../../../simulator/models/days.js";
import {
  type SimulatedAnswer,
  type SimulatedRequest,
  type SimulatedRoute,
  simulatedUpstream,
} from "../../../simulator/upstream.js";

/** The climate feeds of eight publishers, in several dialects of RSS and in Atom. */
export const upstream = simulatedUpstream({
  name: "climate-feeds",
  routes: [
    rss("www.carbonbrief.org", "/feed", "content"),
    rss("www.theguardian.com", "/environment/climate-crisis/rss", "dc"),
    rss("earthobservatory.nasa.gov", "/feeds/earth-observatory.rss", "plain"),
    rss("www.unep.org", "/rss.xml", "cdata"),
    rss("phys.org", "/rss-feed/earth-news/earth-sciences/", "plain"),
    rss("climate.copernicus.eu", "/rss.xml", "cdata"),
    rss("insideclimatenews.org", "/feed/", "content"),
    feedRoute("www.climatecentral.org", "/rss", answerAtom),
  ],
});

type Dialect = "plain" | "cdata" | "content" | "dc";

function rss(host: string, path: string, dialect: Dialect): SimulatedRoute {
  return feedRoute(host, path, (request) => answerRss(request, dialect));
}

interface Item {
  readonly number: number;
  readonly at: number;
}

/** Returns the items of the last five days, newest first. Each day has two items, at 08:00 and 14:00 UTC. */
function itemsBy(now: number): readonly Item[] {
  const days = Array.from({ length: 5 }, (_, index) => today(now) - index * DAY_MS);
  return days
    .flatMap((day) => [14, 8].map((hour) => ({ number: (day / DAY_MS) * 2 + hour / 14, at: day + hour * HOUR_MS })))
    .filter(({ at }) => at <= now)
    .map(({ number, at }) => ({ number: Math.floor(number), at }));
}

function answerRss({ url, clock }: SimulatedRequest, dialect: Dialect): SimulatedAnswer {
  const items = itemsBy(clock.now()).map((item, index) => rssItem(url.host, item, index, dialect));
  return rssAnswer(url.host, items);
}

function rssItem(host: string, { number, at }: Item, index: number, dialect: Dialect): string {
  const title = `Simulated: ice &amp; heat, part ${number}`;
  const link = `https://${host}/simulated/${number}?utm_source=rss&amp;utm_medium=feed`;
  const date = new Date(at).toUTCString();
  // The third item is undated, because real feeds have undated items too.
  const dated = dialect === "dc" ? `<dc:date>${new Date(at).toISOString()}</dc:date>` : `<pubDate>${date}</pubDate>`;
  const html = `<p>Simulated teaser &ndash; <b>part ${number}</b>.</p>`;
  const bodies: Readonly<Record<Dialect, string>> = {
    plain: `<description>${html.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</description>`,
    cdata: `<description><![CDATA[${html}]]></description>`,
    content: `<content:encoded><![CDATA[${html}<script>x</script>]]></content:encoded>`,
    dc: `<description><![CDATA[${html}]]></description><media:content url="https://${host}/${number}.jpg" medium="image"/>`,
  };
  return `<item><title>${title}</title><link>${link}</link><guid isPermaLink="false">${number}</guid>${index === 2 ? "" : dated}${bodies[dialect]}</item>\n`;
}

function answerAtom({ url, clock }: SimulatedRequest): SimulatedAnswer {
  const entries = itemsBy(clock.now()).map(({ number, at }) => {
    const date = new Date(at).toISOString();
    return `<entry><title type="html">Simulated: rain &amp;amp; wind, part ${number}</title><id>tag:${url.host},${number}</id><link rel="alternate" href="https://${url.host}/simulated/${number}"/><published>${date}</published><updated>${date}</updated><summary type="html">&lt;p&gt;Simulated teaser ${number}&lt;/p&gt;</summary></entry>\n`;
  });
  const body = `<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom"><title>Simulated feed of ${url.host}</title><id>https://${url.host}/</id><updated>${new Date(clock.now()).toISOString()}</updated>\n${entries.join("")}</feed>\n`;
  return { status: 200, contentType: "application/atom+xml", body };
}
