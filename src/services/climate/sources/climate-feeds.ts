import { createHash } from "node:crypto";
import { Type } from "typebox";
import { type Licence, type Source, source, step } from "../../../contract/source.js";
import type { ClimateNewsItem } from "../records.js";

/** A publisher's feed on the climate. */
interface Publisher {
  readonly id: string;
  /** Shown as the source of its items. */
  readonly name: string;
  readonly feed: string;
  readonly home: string;
  readonly licence: Pick<Licence, "name" | "open">;
}

const headlinesOnly = { name: "Headline, teaser and link only; the articles are the publisher's", open: false };
const publicDomain = { name: "US government work", open: true };

const publishers = {
  carbonBrief: {
    id: "carbon-brief",
    name: "Carbon Brief",
    licence: headlinesOnly,
    feed: "https://www.carbonbrief.org/feed",
    home: "https://www.carbonbrief.org/",
  },
  guardian: {
    id: "guardian-climate",
    name: "The Guardian",
    licence: headlinesOnly,
    feed: "https://www.theguardian.com/environment/climate-crisis/rss",
    home: "https://www.theguardian.com/environment/climate-crisis",
  },
  earthObservatory: {
    id: "nasa-earth-observatory",
    name: "NASA Earth Observatory",
    licence: publicDomain,
    feed: "https://earthobservatory.nasa.gov/feeds/earth-observatory.rss",
    home: "https://earthobservatory.nasa.gov/",
  },
  unep: {
    id: "unep",
    name: "UNEP",
    licence: headlinesOnly,
    feed: "https://www.unep.org/rss.xml",
    home: "https://www.unep.org/",
  },
  physOrg: {
    id: "phys-org-earth",
    name: "Phys.org",
    licence: headlinesOnly,
    feed: "https://phys.org/rss-feed/earth-news/earth-sciences/",
    home: "https://phys.org/earth-news/",
  },
  copernicus: {
    id: "copernicus-climate",
    name: "Copernicus Climate Change Service",
    licence: { name: "Free with credit", open: true },
    feed: "https://climate.copernicus.eu/rss.xml",
    home: "https://climate.copernicus.eu/",
  },
  insideClimateNews: {
    id: "inside-climate-news",
    name: "Inside Climate News",
    licence: headlinesOnly,
    feed: "https://insideclimatenews.org/feed/",
    home: "https://insideclimatenews.org/",
  },
  climateCentral: {
    id: "climate-central",
    name: "Climate Central",
    licence: headlinesOnly,
    feed: "https://www.climatecentral.org/rss",
    home: "https://www.climatecentral.org/",
  },
} satisfies Record<string, Publisher>;

const FEED_BYTES_MAX = 500_000;

function feedOf(publisher: Publisher): Source<unknown, ClimateNewsItem> {
  return source({
    id: publisher.id,
    title: `${publisher.name}, feed`,
    home: publisher.home,
    seen: "described",
    licence: { ...publisher.licence, attribution: publisher.name },
    steps: {
      feed: step({
        request: () => ({ key: "feed", url: publisher.feed, bytesMax: FEED_BYTES_MAX }),
        format: { kind: "feed" },
        row: Type.Object({ title: Type.String(), link: Type.Optional(Type.String()), summary: Type.String() }),
        rows: ({ items }) => items,
        record: (item) => newsItem({ ...(item as Entry), sourceName: publisher.name }),
      }),
    },
    // A feed may have no dated items.
    recordsMin: 0,
    observedAt: ({ publishedAt }) => publishedAt,
  });
}

interface Entry {
  readonly title: string;
  readonly link: string | undefined;
  readonly publishedAt: number | undefined;
  /** Empty if there is none. */
  readonly summary: string;
}

const SUMMARY_CHARACTERS_MAX = 300;
const ID_CHARACTERS = 16;

/** The news of an entry; undefined for one without a title, an address or a date. */
export function newsItem(entry: Entry & { readonly sourceName: string }): ClimateNewsItem | undefined {
  const { title, link: url, publishedAt, sourceName } = entry;
  if (title === "" || url === undefined || publishedAt === undefined) return undefined;
  const id = createHash("sha256").update(url).digest("hex").slice(0, ID_CHARACTERS);
  return { id, title, url, sourceName, publishedAt, ...(entry.summary !== "" && { summary: cut(entry.summary) }) };
}

/** Shortens a text to at most 300 characters, with an ellipsis at the end if it was longer. */
function cut(text: string): string {
  const characters = Array.from(text);
  if (characters.length <= SUMMARY_CHARACTERS_MAX) return text;
  return `${characters
    .slice(0, SUMMARY_CHARACTERS_MAX - 1)
    .join("")
    .trimEnd()}…`;
}

/** The feed of every publisher, by the name of its part. */
export const climateFeeds = {
  carbonBrief: feedOf(publishers.carbonBrief),
  guardian: feedOf(publishers.guardian),
  earthObservatory: feedOf(publishers.earthObservatory),
  unep: feedOf(publishers.unep),
  physOrg: feedOf(publishers.physOrg),
  copernicus: feedOf(publishers.copernicus),
  insideClimateNews: feedOf(publishers.insideClimateNews),
  climateCentral: feedOf(publishers.climateCentral),
};
