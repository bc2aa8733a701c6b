// Generates feeds, as bytes, with news-like titles; equal seeds give equal feeds. Some stories are reported by many
// feeds, each in its own words; most items of a feed are in no other feed.
export const NOW = Date.UTC(2026, 10, 21, 12);
const HOUR_MS = 3_600_000;
/** The number of stories divided by the number of feeds, and the share of items that report one of these stories. */
const [STORIES_PER_FEED, TOLD] = [3, 0.4];

const syllables = "ba ka da fe go li mar nor pel que ris san tor ul vel war yan zo bri cha dro est gal hin".split(" ");
const kinds = [
  ["quake", "earthquake", "tremor"],
  ["floods", "flooding", "high water"],
  ["wildfire", "forest fire", "bushfire"],
  ["strike", "missile attack", "shelling"],
  ["protest", "demonstration", "rally"],
  ["outage", "blackout", "power cut"],
  ["explosion", "blast", "fire at a plant"],
  ["cyberattack", "hack", "data breach"],
];
const subjects =
  "minister,president,central bank,court,parliament,army,union,airline,carmaker,regulator,navy,mayor,opposition,startup,hospital,coach".split(
    ",",
  );
const verbs =
  "rejects,approves,delays,warns of,investigates,plans,suspends,welcomes,criticises,reviews,defends,abandons,expands,cuts,raises,leaks".split(
    ",",
  );
const objects =
  "budget,ceasefire,tariffs,merger,vaccine rollout,border deal,rate rise,election result,gas pipeline,sanctions,pension reform,arms sale,chip exports,water supply,transfer,satellite launch".split(
    ",",
  );
const tails =
  "after long talks,despite protests,amid fears of a downturn,in a surprise move,as winter comes,for the second time,before a key vote,under pressure from allies,a report says,sources say".split(
    ",",
  );

/** Mulberry32: a small, fast generator with the same results on every platform. */
function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Returns `count` feeds as `{ facts, bytes, contentType }`, with `items` items each: RSS 2.0, Atom and RDF in turn. */
export function feedsOf(count, items, seed = 7) {
  const next = random(seed);
  const below = (limit) => Math.floor(next() * limit);
  const pick = (list) => list[below(list.length)];
  const name = () => {
    const word = Array.from({ length: 2 + below(2) }, () => pick(syllables)).join("");
    return word[0].toUpperCase() + word.slice(1);
  };
  const stories = Array.from({ length: count * STORIES_PER_FEED }, () => {
    const [place, region, number] = [name(), name(), 2 + below(400)];
    return { kind: pick(kinds), place, region, number, hour: 2 + below(40) };
  });
  const storyItem = () => {
    // The first stories are reported by many feeds, the last stories by few feeds.
    const { kind, place, region, number, hour } = stories[Math.floor(stories.length * next() ** 2)];
    const what = pick(kind);
    const title = pick([
      `${number} dead after ${what} in ${place}, ${region}`,
      `${what[0].toUpperCase()}${what.slice(1)} in ${place}: at least ${number} killed`,
      `${region} mourns ${number} victims of ${place} ${what}`,
      `Rescuers reach ${place} as ${what} in ${region} kills ${number}`,
    ]);
    return { title, at: NOW - (hour + next() * 3 - 1.5) * HOUR_MS };
  };
  const alone = () => ({
    title: `${name()} ${pick(subjects)} ${pick(verbs)} ${name()} ${pick(objects)} ${pick(tails)}`,
    at: NOW - next() * 90 * HOUR_MS,
  });
  return Array.from({ length: count }, (_, feed) => {
    const facts = {
      id: `feed-${feed}`,
      publisher: `Publisher ${feed}`,
      family: `family-${Math.floor(feed / 2)}`,
      tier: 1 + (feed % 4),
      risk: ["low", "medium", "unknown", "high"][feed % 4],
      language: "en",
    };
    const rows = Array.from({ length: items }, (_, item) => ({
      ...(next() < TOLD ? storyItem() : alone()),
      link: `https://news${feed}.example/2026/11/${feed}-${item}?utm_source=rss&amp;id=${item}`,
      summary:
        `&lt;p&gt;What is known by now of &lt;b&gt;${name()}&lt;/b&gt; &amp;amp; ${name()}, ${pick(tails)}.&lt;/p&gt;`.repeat(
          3,
        ),
    }));
    const [contentType, write] = formats[feed % formats.length];
    return { facts, contentType, bytes: Buffer.from(write(rows)) };
  });
}

const head = '<?xml version="1.0" encoding="UTF-8"?>';
const formats = [
  [
    "application/rss+xml",
    (rows) =>
      `${head}<rss version="2.0"><channel><title>News</title>${rows.map(({ title, link, at, summary }) => `<item><title><![CDATA[${title}]]></title><link>${link}</link><guid>${link}</guid><pubDate>${new Date(at).toUTCString()}</pubDate><description>${summary}</description></item>`).join("\n")}</channel></rss>`,
  ],
  [
    "application/atom+xml",
    (rows) =>
      `${head}<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title>${rows.map(({ title, link, at, summary }) => `<entry><title>${title}</title><link href="${link}"/><id>${link}</id><updated>${new Date(at).toISOString()}</updated><summary type="html">${summary}</summary></entry>`).join("\n")}</feed>`,
  ],
  [
    "application/rdf+xml",
    (rows) =>
      `${head}<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="https://news.example/"><title>News</title></channel>${rows.map(({ title, link, at, summary }) => `<item rdf:about="${link}"><title>${title}</title><link>${link}</link><dc:date>${new Date(at).toISOString()}</dc:date><description>${summary}</description></item>`).join("\n")}</rdf:RDF>`,
  ],
];
