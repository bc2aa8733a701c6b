import { DAY_MS, SECOND_MS } from "../../../kit/clock.js";
import { streamFor } from "../../../simulator/models/random-stream.js";
import {
  rewriteMiddle,
  type SimulatedAnswer,
  type SimulatedRequest,
  simulatedUpstream,
} from "../../../simulator/upstream.js";
import { quakesUntil, type SimulatedQuake } from "./models/quakes.js";

/**
 * Simulates Natural Resources Canada's Atom bulletin. It states depths as negative elevations, and includes small
 * events and mining events.
 */
export const upstream = simulatedUpstream({
  name: "nrcan-earthquakes",
  routes: [
    {
      host: "www.earthquakescanada.nrcan.gc.ca",
      path: "/cache/earthquakes/canada-en.atom",
      handle: answerBulletin,
      variants: {
        changed: (xml) => xml.replaceAll("updated>", "modified>").replaceAll("georss:point", "georss:where"),
        empty: (xml) => xml.replace(/<entry>[\s\S]*<\/entry>\n/, ""),
        badRow: (xml) => rewriteMiddle(xml, /<georss:point>[^<]*/g, () => "<georss:point>somewhere"),
      },
    },
  ],
});

const WINDOW_MS = 30 * DAY_MS;

function answerBulletin({ clock, seed }: SimulatedRequest): SimulatedAnswer {
  const now = clock.now();
  const quakes = quakesUntil(seed, now, WINDOW_MS).filter(({ isInCanada, id }) => isInCanada || id % 3 === 0);
  const body = `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:georss="http://www.georss.org/georss" xml:lang="en">
<title>Simulated earthquakes in and near Canada</title>
<id>https://www.earthquakescanada.nrcan.gc.ca/</id>
<updated>${new Date(now).toISOString()}</updated>
${quakes
  .toReversed()
  .map((quake) => entryOf(quake, seed))
  .join("")}</feed>
`;
  return { status: 200, contentType: "application/atom+xml", body };
}

/**
 * Writes the entry of an event. An event that the US agency lists too has a slightly different time here. The other
 * events are small, and some are mining events.
 */
function entryOf({ id, at, latitude, longitude, depthKm, magnitude, place, isInCanada }: SimulatedQuake, seed: number) {
  const random = streamFor(seed, `nrcan ${id}`);
  const isMining = !isInCanada && random() < 0.2;
  const size = isInCanada ? magnitude : Number((1 + random() * 2).toFixed(1));
  const [lat, lon] = isInCanada ? [latitude, longitude] : [52 + (id % 8), -100 - (id % 20)];
  const seconds = new Date(at + 2 * SECOND_MS).toISOString().slice(0, 19).replace("T", " ");
  const eventId = `${seconds.replaceAll(/\D/g, "").slice(0, 8)}.${id}`;
  const where = isInCanada ? place : "Simulated, SK";
  return `<entry>
<title>${seconds} UTC: M${size} ${where}</title>
<id>https://www.earthquakescanada.nrcan.gc.ca/recent/maps-cartes/index-en.php?eventid=${eventId}</id>
<link rel="alternate" type="text/html" href="https://www.earthquakescanada.nrcan.gc.ca/recent/maps-cartes/index-en.php?eventid=${eventId}" />
<updated>${new Date(at).toISOString()}</updated>
<category term="${isMining ? "Industry-related event" : "Earthquake"}" />
<summary>Simulated</summary>
<georss:point>${lat.toFixed(3)} ${lon.toFixed(3)}</georss:point>
<georss:elev>${-Math.round(depthKm * 1_000)}</georss:elev>
</entry>
`;
}
