import { createHash } from "node:crypto";
import { HOUR_MS } from "../../src/kit/clock.js";
import { type SimulatedRequest, type SimulatedUpstream, simulatedUpstream } from "../../src/simulator/upstream.js";

/**
 * Declares an upstream that serves a feed of eight entries at each address. The entries are dated one hour apart. Every
 * six hours, six new entries replace the six oldest.
 */
export function simulatedFeeds(name: string, urls: readonly string[]): SimulatedUpstream {
  const places = new Map(urls.map((url) => [new URL(url).host + new URL(url).pathname, new URL(url)]));
  const same = (body: string): string => body;
  return simulatedUpstream({
    name,
    routes: [...places.values()].map(({ host, pathname }) => ({
      host,
      path: pathname,
      handle: answer,
      variants: { changed: same, empty: (xml) => xml.replace(/<item>[\s\S]*<\/item>/, ""), badRow: same },
    })),
  });
}

const ENTRIES = 8;
const SYLLABLES = ["ba", "ce", "di", "fo", "gu", "la", "me", "ni", "po", "ru", "sa", "te", "vi", "xo", "zu", "qua"];

/** Makes a title of invented words that no other title contains. */
function title(host: string, number: number): string {
  const digest = createHash("sha256").update(`${host} ${number}`).digest();
  const words = Array.from({ length: 7 }, (_, word) =>
    [0, 1, 2, 3].map((at) => SYLLABLES[(digest[word * 4 + at] ?? 0) % SYLLABLES.length]).join(""),
  );
  return words.join(" ");
}

function answer({ url, clock }: SimulatedRequest) {
  const hour = Math.floor(clock.now() / (6 * HOUR_MS)) * 6;
  const items = Array.from({ length: ENTRIES }, (_, index) => {
    const at = (hour - index) * HOUR_MS;
    const link = `https://${url.host}/articles/${hour - index}`;
    return `<item><title>${title(url.host, hour - index)}</title><link>${link}</link><pubDate>${new Date(at).toUTCString()}</pubDate><description>Simulated.</description></item>`;
  });
  const body = `<?xml version="1.0"?><rss version="2.0"><channel><title>${url.host}</title>${items.join("")}</channel></rss>`;
  return { status: 200, contentType: "application/rss+xml", body, etag: true };
}
