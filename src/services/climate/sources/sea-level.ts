import { Type } from "typebox";
import { BadRow, SourceFailure, source } from "../../../contract/source.js";

/** Global mean sea level as NASA's page states it; what it does not state is absent. */
export interface SeaLevel {
  readonly mmAbove1993?: number;
  readonly mmPerYear?: number;
}

const PAGE = "https://sealevel.nasa.gov/overlay-global-mean-sea-level";
const [RISE_MM_MAX, RATE_MM_MAX] = [1_000, 50];

const MILLIMETRES = "(\\d+(?:\\.\\d+)?)\\s*(?:mm|milli?met(?:er|re)s?)\\b";
const CENTIMETRES = "(\\d+(?:\\.\\d+)?)\\s*(?:cm|centimet(?:er|re)s?)\\s*\\)?\\s*(?:/|per|a|each)\\s*y(?:ea)?r?\\b";

/** Rise since 1993 and the present yearly rate, read from the words of a page: brittle, and checked for that. */
export const seaLevel = source({
  id: "nasa-sea-level",
  title: "NASA Sea Level Change, global mean sea level",
  home: "https://sealevel.nasa.gov/",
  seen: "described",
  licence: { name: "NASA open data", attribution: "NASA Sea Level Change Team", open: true },
  credentials: [],
  requests: (_plan: object) => [{ key: "page", url: PAGE, format: { kind: "text" }, bytesMax: 4_000_000 }],
  row: Type.Object({ rise: Type.Optional(Type.String()), rate: Type.Optional(Type.String()) }),
  *rows(page) {
    const text = wordsOf(page);
    const rise = riseIn(text);
    // The page also tells of earlier rates; the present one is called current, or comes last.
    const rates = [...text.matchAll(new RegExp(`(current)?[^.]{0,80}?${CENTIMETRES}`, "gi"))];
    const rate = (rates.find(([, current]) => current !== undefined) ?? rates.at(-1))?.[2];
    if (rise === undefined && rate === undefined) {
      throw new SourceFailure("changed", "the page states neither the rise since 1993 in mm nor a rate in cm per year");
    }
    yield { ...(rise !== undefined && { rise }), ...(rate !== undefined && { rate }) };
  },
  record({ rise, rate }): SeaLevel {
    return {
      ...(rise !== undefined && { mmAbove1993: within(Number(rise), RISE_MM_MAX) }),
      // Printed in cm; a tenth of a millimetre is all it tells.
      ...(rate !== undefined && { mmPerYear: within(Math.round(Number(rate) * 100) / 10, RATE_MM_MAX) }),
    };
  },
  observedAt: () => undefined,
});

/** The number of millimetres that stands nearest to the words "since 1993", before or after them. */
function riseIn(text: string): string | undefined {
  const near = /.{0,120}since\s+1993.{0,120}/i.exec(text)?.[0] ?? "";
  return new RegExp(MILLIMETRES, "i").exec(near)?.[1];
}

/** The words of a page: scripts, styles and tags taken out, white space collapsed. */
function wordsOf(page: string): string {
  return page
    .replace(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, " ")
    .replace(/<[^>]{0,2000}>/g, " ")
    .replace(/&nbsp;|&#160;/g, " ")
    .replace(/\s+/g, " ");
}

function within(value: number, max: number): number {
  if (value > 0 && value < max) return value;
  throw new BadRow(`${value} is not between 0 and ${max}`);
}
