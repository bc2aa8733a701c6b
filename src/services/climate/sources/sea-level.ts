import { Type } from "typebox";
import { BadRow, SourceFailure, source, step } from "../../../contract/source.js";
import { pageWords } from "../../../kit/page-words.js";
import { risePerYear } from "../rules/rise-per-year.js";
import { oceanRanges } from "./climate-ranges.js";

/** Global mean sea level from NASA's page. Figures that the page does not state are absent. */
export interface SeaLevel {
  readonly mmAbove1993?: number;
  readonly mmPerYear?: number;
  /** Time of the first reading with these figures, epoch ms. Set by the dataset, because the page has no date. */
  readonly unchangedSince?: number;
}

const PAGE = "https://sealevel.nasa.gov/overlay-global-mean-sea-level";
/** Number of characters searched on either side of "since 1993", and maximum number of occurrences considered. */
const [NEAR, PLACES_MAX] = [130, 100];
const [RISE_MM_MAX, RATE_MM_MAX] = [1_000, 50];

/** A number of millimetres that is not a rate. */
const MILLIMETRES =
  /(?<![\d.,])(\d{1,6}(?:\.\d{1,6})?) ?(?:mm|milli?met(?:er|re)s?)\b(?! ?\)? ?(?:\/|per\b|each\b|a\b))/i;

/**
 * Rise since 1993 and the current yearly rate, parsed from the text of a page. Such parsing is brittle, so the values
 * are checked.
 */
export const seaLevel = source({
  id: "nasa-sea-level",
  title: "NASA Sea Level Change, global mean sea level",
  home: "https://sealevel.nasa.gov/",
  seen: "described",
  licence: { name: "NASA open data", attribution: "NASA Sea Level Change Team", open: true },
  steps: {
    page: step({
      request: () => ({ key: "page", url: PAGE, bytesMax: 4_000_000 }),
      format: { kind: "text" },
      row: Type.Object({ rise: Type.Optional(Type.String()), mmPerYear: Type.Optional(Type.Number()) }),
      *rows(page) {
        const text = pageWords(page);
        const rise = riseIn(text);
        const mmPerYear = risePerYear(text);
        if (rise === undefined && mmPerYear === undefined) {
          throw new SourceFailure("changed", "the page states neither the rise since 1993 in mm nor a rate per year");
        }
        yield { ...(rise !== undefined && { rise }), ...(mmPerYear !== undefined && { mmPerYear }) };
      },
      record({ rise, mmPerYear }): SeaLevel {
        return {
          ...(rise !== undefined && { mmAbove1993: within(Number(rise), RISE_MM_MAX) }),
          ...(mmPerYear !== undefined && { mmPerYear: within(mmPerYear, RATE_MM_MAX) }),
        };
      },
    }),
  },
  ranges: oceanRanges,
  observedAt: ({ unchangedSince }) => unchangedSince,
});

/** Returns the first number of millimetres near the words "since 1993", before or after them. */
function riseIn(text: string): string | undefined {
  const places = [...text.matchAll(/since 1993/gi)].slice(0, PLACES_MAX);
  const near = places.map(({ index }) => text.slice(Math.max(0, index - NEAR), index + NEAR));
  return near.map((words) => MILLIMETRES.exec(words)?.[1]).find((rise) => rise !== undefined);
}

function within(value: number, max: number): number {
  if (value > 0 && value < max) return value;
  throw new BadRow(`${value} is not between 0 and ${max}`);
}
