import { DAY_MS } from "../../../kit/clock.js";
import { dayAt, isoDay } from "../../../simulator/models/days.js";
import { bell, streamFor } from "../../../simulator/models/random-stream.js";
import {
  rewriteMiddle,
  type SimulatedAnswer,
  type SimulatedRequest,
  simulatedUpstream,
} from "../../../simulator/upstream.js";

const HOST = "www.ncei.noaa.gov";
const VERSIONS = "/data/noaa-global-surface-temperature/";
const SERIES = `${VERSIONS}v6.1/access/timeseries/`;

/** NCEI's ocean heat content, and its folder of files with the monthly surface temperature of oceans and land. */
export const upstream = simulatedUpstream({
  name: "ncei",
  routes: [
    {
      host: HOST,
      path: "/data/oceans/woa/DATA_ANALYSIS/3M_HEAT_CONTENT/DATA/basin/yearly/h22-w0-700m.dat",
      handle: answerHeat,
      variants: {
        changed: (text) => text.replace("WO ", "NP "),
        empty: (text) => text.replace(/^\d.*\n/gm, ""),
        badRow: (text) => rewriteMiddle(text, /^\d.*$/gm, () => "abc.500   abc   abc"),
      },
    },
    {
      host: HOST,
      path: VERSIONS,
      handle: answerVersions,
      variants: {
        changed: (html) => html.replaceAll('href="v', 'href="version-'),
        empty: (html) => html.replace(/^ *<tr><td><a href="v.*\n/gm, ""),
        badRow: (html) => html,
      },
    },
    {
      host: HOST,
      path: SERIES,
      handle: answerFolder,
      variants: {
        changed: (html) => html.replaceAll("aravg.mon", "average.monthly"),
        empty: (html) => html.replace(/^ *<tr><td><a href="aravg.*\n/gm, ""),
        badRow: (html) => html,
      },
    },
    {
      host: HOST,
      path: `${SERIES}*`,
      handle: answerSeries,
      variants: {
        changed: (text) => text.replaceAll(/^ *(\d+) +(\d+)/gm, "$1-$2"),
        empty: () => "\n",
        badRow: (text) => rewriteMiddle(text, /^.+$/gm, () => "  2019    13   abc"),
      },
    },
  ],
});

/** Anomaly and standard error of the world and of both hemispheres, 10²² J. */
const HEAT_HEAD = "YEAR      WO     WOse       NH     NHse       SH     SHse\n";

function answerHeat({ clock, seed }: SimulatedRequest): SimulatedAnswer {
  const random = streamFor(seed, "ocean heat");
  const last = dayAt(clock.now()).year - 1;
  const rows = Array.from({ length: Math.max(0, last - 1954) }, (_, index) => {
    const world = -6.4 + 0.0065 * index ** 2 + 0.4 * bell(random);
    const cells = [world, 0.412, world * 0.4, 0.233, world * 0.6, 0.318];
    return `${1955 + index}.500${cells.map((cell) => cell.toFixed(3).padStart(9)).join("")}\n`;
  });
  return { status: 200, contentType: "text/plain", body: HEAT_HEAD + rows.join(""), etag: true };
}

/** Returns the newest published month, as months since year 0. A month is published a week after its end. */
function newestMonth(now: number): number {
  const date = new Date(now - 7 * DAY_MS);
  return date.getUTCFullYear() * 12 + date.getUTCMonth() - 1;
}

const KINDS = ["land", "land_ocean", "ocean"] as const;
type Kind = (typeof KINDS)[number];

interface MonthlyFile {
  readonly name: string;
  readonly kind: Kind;
  /** Newest month in the file, months since year 0. */
  readonly last: number;
}

/** Returns the files of the folder, sorted by name: the releases of the last two months. */
function filesBy(now: number): readonly MonthlyFile[] {
  const newest = newestMonth(now);
  return KINDS.flatMap((kind) =>
    [newest - 1, newest].map((last) => ({ name: `aravg.mon.${kind}.90S.90N.v6.1.0.${stamp(last)}.asc`, kind, last })),
  );
}

function stamp(month: number): string {
  return `${Math.floor(month / 12)}${String((month % 12) + 1).padStart(2, "0")}`;
}

function answerFolder({ clock }: SimulatedRequest): SimulatedAnswer {
  const rows = filesBy(clock.now()).map(({ name, last }) => {
    const released = isoDay(Date.UTC(Math.floor(last / 12), (last % 12) + 1, 8));
    return `   <tr><td><a href="${name}">${name}</a></td><td align="right">${released} 06:00  </td><td align="right">213K</td></tr>\n`;
  });
  return { status: 200, contentType: "text/html;charset=UTF-8", body: folderPage(SERIES, rows) };
}

/** The listed versions include superseded ones, and the next version, whose folder is still empty. */
const LISTED_VERSIONS = ["v5.1", "v6", "v6.1", "v6.2"];

function answerVersions(): SimulatedAnswer {
  const rows = LISTED_VERSIONS.map(
    (version) =>
      `   <tr><td><a href="${version}/">${version}/</a></td><td align="right">2026-02-02 06:00  </td><td align="right">  - </td></tr>\n`,
  );
  return { status: 200, contentType: "text/html;charset=UTF-8", body: folderPage(VERSIONS, rows) };
}

/** Writes a folder listing like Apache's: a sort link for each column, the parent folder, then the files. */
function folderPage(folder: string, rows: readonly string[]): string {
  const [name, parent] = [folder.slice(0, -1), folder.replace(/[^/]+\/$/, "")];
  return `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">
<html>
 <head>
  <title>Index of ${name}</title>
 </head>
 <body>
<h1>Index of ${name}</h1>
  <table>
   <tr><th><a href="?C=N;O=D">Name</a></th><th><a href="?C=M;O=A">Last modified</a></th><th><a href="?C=S;O=A">Size</a></th></tr>
   <tr><td><a href="${parent}">Parent Directory</a></td><td>&nbsp;</td><td align="right">  - </td></tr>
${rows.join("")}  </table>
</body></html>
`;
}

function answerSeries({ url, clock, seed }: SimulatedRequest): SimulatedAnswer {
  const file = filesBy(clock.now()).find(({ name }) => url.pathname === SERIES + name);
  if (file === undefined) return { status: 404, contentType: "text/html", body: "<html><title>404</title></html>\n" };
  const random = streamFor(seed, `${file.kind} temperature`);
  const rows = Array.from({ length: file.last - 1850 * 12 + 1 }, (_, index) => {
    const [year, month] = [1850 + Math.floor(index / 12), (index % 12) + 1];
    const measured = warming(year + (month - 0.5) / 12) * WARMING[file.kind] + 0.06 * bell(random);
    const anomaly = isMissing(year, month) ? -999 : measured;
    const date = `${String(year).padStart(6)}${String(month).padStart(4)}`;
    return `${date}${[anomaly, ...ERRORS].map((cell) => cell.toFixed(6).padStart(13)).join("")}\n`;
  });
  return { status: 200, contentType: "text/plain", body: rows.join(""), etag: true };
}

/** Warming rate of each kind relative to the ocean. */
const WARMING: Readonly<Record<Kind, number>> = { ocean: 1, land: 1.8, land_ocean: 1.3 };
/** Variances and bias of the anomaly, K² and K: seven columns that no decoder reads. */
const ERRORS = [0.004, 0.001, 0.002, 0.001, 0.002, 0.0045, 0.01] as const;

/** True for a month without a value: some months of the Second World War. */
function isMissing(year: number, month: number): boolean {
  return year === 1942 && month < 3;
}

/**
 * Returns the ocean surface temperature in K relative to the mean of 1991 to 2020: constant until the 1950s, then
 * rising ever faster. The mean of 1971 to 2000 is -0.33.
 */
function warming(decimalYear: number): number {
  return 0.264 * Math.log1p(Math.exp((decimalYear - 1981) / 12)) - 0.588;
}
