import { Type } from "typebox";
import { type Source, source, step } from "../../../contract/source.js";
import type { AviationHeadline } from "../records/news-records.js";

/** A publisher's feed on aviation: its id, its name, its page and the address of the feed. */
interface Publisher {
  readonly id: string;
  readonly name: string;
  readonly home: string;
  readonly feed: string;
}

const ITEMS_MAX = 30;
const FEED_BYTES_MAX = 1_000_000;

function feedOf({ id, name, home, feed }: Publisher): Source<unknown, AviationHeadline> {
  return source({
    id,
    home,
    title: `${name}, feed`,
    seen: "described",
    licence: {
      name: "Headline, teaser and link only; the articles are the publisher's",
      attribution: name,
      open: false,
    },
    steps: {
      feed: step({
        request: () => ({ key: "feed", url: feed, bytesMax: FEED_BYTES_MAX }),
        format: { kind: "feed" },
        row: Type.Object({
          title: Type.String(),
          link: Type.Optional(Type.String()),
          publishedAt: Type.Optional(Type.Number()),
          summary: Type.String(),
          image: Type.Optional(Type.String()),
        }),
        rows: ({ items }) => items.slice(0, ITEMS_MAX),
        record({ title, link: url, publishedAt, summary: teaser, image }): AviationHeadline | undefined {
          if (title === "" || url === undefined || publishedAt === undefined) return undefined;
          return { title, url, sourceName: name, publishedAt, teaser, ...(image !== undefined && { imageUrl: image }) };
        },
      }),
    },
    // A feed may have no dated items.
    recordsMin: 0,
    observedAt: ({ publishedAt }) => publishedAt,
  });
}

/** The feed of every publisher, by the name of its part. */
export const aviationFeeds = {
  flightGlobal: feedOf({
    id: "flightglobal",
    name: "FlightGlobal",
    home: "https://www.flightglobal.com/",
    feed: "https://www.flightglobal.com/rss",
  }),
  simpleFlying: feedOf({
    id: "simple-flying",
    name: "Simple Flying",
    home: "https://simpleflying.com/",
    feed: "https://simpleflying.com/feed/",
  }),
  aeroTime: feedOf({
    id: "aerotime",
    name: "AeroTime",
    home: "https://www.aerotime.aero/",
    feed: "https://www.aerotime.aero/feed",
  }),
  thePointsGuy: feedOf({
    id: "the-points-guy",
    name: "The Points Guy",
    home: "https://thepointsguy.com/",
    feed: "https://thepointsguy.com/feed/",
  }),
  airlineGeeks: feedOf({
    id: "airline-geeks",
    name: "AirlineGeeks",
    home: "https://airlinegeeks.com/",
    feed: "https://airlinegeeks.com/feed/",
  }),
  oneMileAtATime: feedOf({
    id: "one-mile-at-a-time",
    name: "One Mile at a Time",
    home: "https://onemileatatime.com/",
    feed: "https://onemileatatime.com/feed/",
  }),
  viewFromTheWing: feedOf({
    id: "view-from-the-wing",
    name: "View from the Wing",
    home: "https://viewfromthewing.com/",
    feed: "https://viewfromthewing.com/feed/",
  }),
  aviationPros: feedOf({
    id: "aviation-pros",
    name: "AviationPros",
    home: "https://www.aviationpros.com/",
    feed: "https://www.aviationpros.com/rss",
  }),
  aviationWeek: feedOf({
    id: "aviation-week",
    name: "Aviation Week",
    home: "https://aviationweek.com/",
    feed: "https://aviationweek.com/rss",
  }),
};
