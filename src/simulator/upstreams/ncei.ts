import { DAY_MS } from "../../kit/clock.js";
import { bell, streamFor } from "../models/random-stream.js";
import { rewriteMiddle, type SimulatedAnswer, type SimulatedRequest, simulatedUpstream } from "../upstream.js";

const HOST = "www.ncei.noaa.gov";
const SERIES = "/data/noaa-global-surface-temperature/v6/access/timeseries/";

/** NCEI's ocean heat content, and the monthly surface temperature of the oceans in a folder of files. */
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
      path: SERIES,
      handle: answerFolder,
      variants: {
        changed: (html) => html.replaceAll("aravg.mon", "average.monthly"),
        empty: (html) => html.replace(/<a [^>]*>[^<]*<\/a>\n/g, ""),
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

function answerHeat({ clock, seed }: SimulatedRequest): SimulatedAnswer {
  const random = streamFor(seed, "ocean heat");
  const last = new Date(clock.now()).getUTCFullYear() - 1;
  const rows = Array.from({ length: last - 1954 }, (_, index) => {
    const year = 1955 + index;
    const world = -8 + 0.0068 * (year - 1950) ** 2 + 0.4 * bell(random);
    return `${year}.500${world.toFixed(3).padStart(9)}${"0.412".padStart(9)}${(world * 0.6).toFixed(3).padStart(9)}\n`;
  });
  return {
    status: 200,
    contentType: "text/plain",
    body: `YEAR      WO     WOse      NH\n${rows.join("")}`,
    etag: true,
  };
}

/** The newest month is out a week after its end. */
function newestMonth(now: number): number {
  const date = new Date(now - 7 * DAY_MS);
  return date.getUTCFullYear() * 12 + date.getUTCMonth() - 1;
}

const nameOf = (kind: string, month: number): string =>
  `aravg.mon.${kind}.90S.90N.v6.0.0.${Math.floor(month / 12)}${String((month % 12) + 1).padStart(2, "0")}.asc`;

function answerFolder({ clock }: SimulatedRequest): SimulatedAnswer {
  const newest = newestMonth(clock.now());
  const names = [newest - 1, newest].flatMap((month) =>
    ["land", "land_ocean", "ocean"].map((kind) => nameOf(kind, month)),
  );
  const links = names.toSorted().map((name) => `<a href="${name}">${name}</a>\n`);
  const body = `<!DOCTYPE HTML><html><head><title>Index of ${SERIES}</title></head><body><pre>\n${links.join("")}</pre></body></html>\n`;
  return { status: 200, contentType: "text/html;charset=UTF-8", body };
}

function answerSeries({ url, clock, seed }: SimulatedRequest): SimulatedAnswer {
  const newest = newestMonth(clock.now());
  const asked = [newest - 1, newest].find((month) => url.pathname.endsWith(`/${nameOf("ocean", month)}`));
  if (asked === undefined) return { status: 404, contentType: "text/html", body: "<html><title>404</title></html>\n" };
  const random = streamFor(seed, "ocean temperature");
  const rows = Array.from({ length: asked - 1850 * 12 + 1 }, (_, index) => {
    const [year, month] = [1850 + Math.floor(index / 12), (index % 12) + 1];
    const value = -0.35 + 0.9 / (1 + Math.exp(-(year - 2008) / 16)) - 0.2 + 0.06 * bell(random);
    // The war left months without ships.
    const anomaly = year === 1942 && month < 3 ? -999 : value;
    return `  ${year}${String(month).padStart(6)}${anomaly.toFixed(6).padStart(13)}${"0.012000".padStart(12)}\n`;
  });
  return { status: 200, contentType: "text/plain", body: rows.join(""), etag: true };
}
