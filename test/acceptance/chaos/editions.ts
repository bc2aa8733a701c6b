/**
 * Documents in the formats of their publishers, and the answers that the service must make from them. The content of a
 * document follows from the number of its edition. Nothing here uses the code of the service.
 */

export interface EditionDocument {
  readonly contentType: string;
  readonly body: string;
}

const FIRST_YEAR = 1947;
const MONTHS = (2026 - FIRST_YEAR) * 12 + 10;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const QUAKES = 40;

/** The FRED series of consumer prices. Each key is the member of an answer that has the values of the series. */
const series = {
  headline: "CPIAUCSL",
  core: "CPILFESL",
  food: "CPIUFDSL",
  energy: "CPIENGSL",
  shelter: "CUSR0000SAH1",
  services: "CUSR0000SAS",
} as const;
type Component = keyof typeof series;
const components = Object.keys(series) as Component[];

/** Returns the document at an address `/<host>/<path>`; undefined if the address has no document of known content. */
export function editionDocument(target: string, edition: number, newestAt: number): EditionDocument | undefined {
  const url = new URL(target, "http://upstream");
  if (url.pathname === "/fred.stlouisfed.org/graph/fredgraph.csv") return csvOf(url.searchParams.get("id"), edition);
  if (url.pathname.startsWith("/earthquake.usgs.gov/")) return quakesOf(edition, newestAt);
  if (url.pathname.startsWith("/www.earthquakescanada.nrcan.gc.ca/")) return bulletinOf(newestAt);
  return undefined;
}

/** Returns the index value of a component in a month. Months are counted from January 1947. */
function indexOf(component: Component, month: number, edition: number): number {
  return (10_000 + components.indexOf(component) * 5_000 + month * 300 + edition * 7 + (month % 11) * 13) / 1_000;
}

/** Returns the edition in which the latest month has this index value. */
function editionIn(component: Component, newestIndex: number): number {
  return Math.round((newestIndex * 1_000 - indexOf(component, MONTHS - 1, 0) * 1_000) / 7);
}

const startOf = (month: number): number => Date.UTC(FIRST_YEAR, month);

function csvOf(id: string | null, edition: number): EditionDocument | undefined {
  const component = components.find((name) => series[name] === id);
  if (component === undefined) return undefined;
  const rows = Array.from(
    { length: MONTHS },
    (_, month) => `${new Date(startOf(month)).toISOString().slice(0, 10)},${indexOf(component, month, edition)}`,
  );
  return { contentType: "application/csv", body: `observation_date,${id}\n${rows.join("\n")}\n` };
}

/** Returns a change in percent, rounded to 4 decimals. */
const changeOf = (now: number, before: number): number => Math.round(((now - before) / before) * 1_000_000) / 10_000;

interface Reading {
  readonly index: number;
  readonly monthOverMonth?: { readonly percent: number };
  readonly yearOverYear?: { readonly percent: number };
}
type CpiRow = { readonly month: number } & Partial<Readonly<Record<Component, Reading>>>;

function rowOf(month: number, editions: Readonly<Record<Component, number>>): CpiRow {
  const readings = components.map((component): [Component, Reading] => {
    const at = (past: number): number => indexOf(component, month - past, editions[component]);
    return [
      component,
      {
        index: at(0),
        ...(month >= 1 && { monthOverMonth: { percent: changeOf(at(0), at(1)) } }),
        ...(month >= 12 && { yearOverYear: { percent: changeOf(at(0), at(12)) } }),
      },
    ];
  });
  return { month: startOf(month), ...Object.fromEntries(readings) };
}

/**
 * Returns the edition that an answer about consumer prices shows for each component. If the answer is wrong, returns a
 * sentence that describes the fault.
 */
export function pricesIn(
  body: string,
  isWhole: boolean,
  newestEdition: number,
): Readonly<Record<Component, number>> | string {
  const { months }: { readonly months: readonly CpiRow[] } = JSON.parse(body);
  const last = months.at(-1);
  if (last === undefined) return "no month";
  const editions = Object.fromEntries(
    components.map((component) => [component, editionIn(component, last[component]?.index ?? Number.NaN)]),
  ) as Record<Component, number>;
  const unknown = components.find((component) => !(editions[component] >= 1 && editions[component] <= newestEdition));
  if (unknown !== undefined) return `${unknown} ${last[unknown]?.index} is not from any edition up to ${newestEdition}`;
  const first = isWhole ? 0 : MONTHS - 1;
  if (months.length !== MONTHS - first) return `${months.length} months instead of ${MONTHS - first}`;
  const wrong = months.findIndex((row, at) => !isSame(row, rowOf(first + at, editions)));
  if (wrong < 0) return editions;
  return `${JSON.stringify(months[wrong])} instead of ${JSON.stringify(rowOf(first + wrong, editions))}`;
}

/**
 * True for equal values. Numbers may differ by one in the fourth decimal, because percentages may be rounded either
 * way.
 */
function isSame(got: unknown, expected: unknown): boolean {
  if (typeof got === "number" && typeof expected === "number") return Math.abs(got - expected) <= 0.000_101;
  if (typeof got !== "object" || typeof expected !== "object" || got === null || expected === null) {
    return got === expected;
  }
  const names = [...new Set([...Object.keys(got), ...Object.keys(expected)])];
  return names.every((name) =>
    isSame((got as Record<string, unknown>)[name], (expected as Record<string, unknown>)[name]),
  );
}

interface Quake {
  readonly id: string;
  readonly place: string;
  readonly magnitude: number;
  readonly depthKm: number;
  readonly location: { readonly latitude: number; readonly longitude: number };
  readonly occurredAt: number;
  readonly sourceUrl: string;
  readonly source: "usgs";
}

/**
 * Returns an event of an edition. Each edition has one new event, and all other events change, because the place name
 * of every event contains the edition. All events are far from every nuclear test site, so they are served without the
 * mark of a test site.
 */
function quakeOf(number: number, edition: number, newestAt: number): Quake {
  return {
    id: `chaos${number}`,
    place: `${number} km W of edition ${edition}`,
    magnitude: (45 + ((number * 7 + edition) % 40)) / 10,
    depthKm: 10 + (number % 50),
    location: { latitude: -40 - (number % 10), longitude: -120 + (number % 10) },
    // Every edition has the same times. Times that advanced with the editions would soon lie in the future, because
    // many editions are published within an hour.
    occurredAt: newestAt - (QUAKES - (number - edition)) * MINUTE_MS,
    sourceUrl: `https://earthquake.usgs.gov/earthquakes/eventpage/chaos${number}`,
    source: "usgs",
  };
}

function quakes(edition: number, newestAt: number): readonly Quake[] {
  const all = Array.from({ length: QUAKES }, (_, at) => quakeOf(edition + at, edition, newestAt));
  return all.sort((a, b) => b.occurredAt - a.occurredAt || (a.id < b.id ? -1 : 1));
}

function quakesOf(edition: number, newestAt: number): EditionDocument {
  const features = quakes(edition, newestAt).map((quake) => ({
    type: "Feature",
    id: quake.id,
    properties: { mag: quake.magnitude, place: quake.place, time: quake.occurredAt, url: quake.sourceUrl },
    geometry: { type: "Point", coordinates: [quake.location.longitude, quake.location.latitude, quake.depthKm] },
  }));
  return { contentType: "application/json", body: JSON.stringify({ type: "FeatureCollection", features }) };
}

/** A bulletin of one small event, below the minimum magnitude that is served. */
function bulletinOf(newestAt: number): EditionDocument {
  const at = new Date(newestAt - HOUR_MS).toISOString();
  const title = `${at.slice(0, 10)} ${at.slice(11, 19)} UTC: M2.1 10 km N of Somewhere, BC`;
  const entry = `<entry><title>${title}</title><id>eventid=1</id><category term="Earthquake"/><georss:point>50 -129</georss:point></entry>`;
  const feed = `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:georss="http://www.georss.org/georss"><updated>${at}</updated>${entry}</feed>`;
  return { contentType: "application/atom+xml", body: `<?xml version="1.0"?>${feed}` };
}

/** Returns the edition that a whole list of earthquakes shows, or a sentence that describes the fault of the list. */
export function earthquakesIn(body: string, newestEdition: number, newestAt: number): number | string {
  const { earthquakes }: { readonly earthquakes: readonly Quake[] } = JSON.parse(body);
  const edition = Number(/edition (\d+)$/.exec(earthquakes[0]?.place ?? "")?.[1]);
  if (!(edition >= 1 && edition <= newestEdition)) return `no edition up to ${newestEdition}: ${body.slice(0, 200)}`;
  const expected = quakes(edition, newestAt);
  return isSame(earthquakes, expected) ? edition : `edition ${edition} with other rows: ${body.slice(0, 300)}`;
}
