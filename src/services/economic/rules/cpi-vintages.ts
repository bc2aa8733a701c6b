import { type Static, Type } from "typebox";
import { epochMs } from "../../../contract/field.js";
import type { Revisions } from "../../../contract/revisions.js";
import type { CpiMonth, IndexPoint } from "../records.js";
import { type CpiComponent, cpiComponents } from "./cpi-months.js";
import { vintageFields, vintagesFields, vintagesOf, withdrawnTimes } from "./vintages.js";

const index = (name: string) => Type.Optional(Type.Number({ description: `Index of ${name} from \`since\` on` }));

const CpiVintage = Type.Object(
  {
    ...vintageFields,
    headline: index("all items"),
    core: index("core"),
    food: index("food"),
    energy: index("energy"),
    shelter: index("shelter"),
    services: index("services"),
  },
  { title: "CpiVintage", description: "The indices that one generation published or changed for a month." },
);

/** All indices that were published for each month over time. */
export const CpiVintages = Type.Object(
  {
    ...vintagesFields,
    months: Type.Array(
      Type.Object({
        month: epochMs("First day of the month"),
        vintages: Type.Array(CpiVintage, {
          description: "Oldest first; later vintages have only the indices that changed",
        }),
      }),
      { description: "Oldest first; with `history` also months that were withdrawn" },
    ),
  },
  { title: "CpiVintages", description: "Only with `vintages=true`." },
);

/** Returns all indices that were published for these months over time. With `isWhole`, withdrawn months are added. */
export function cpiVintages(
  months: readonly CpiMonth[],
  isWhole: boolean,
  revisions: Revisions,
): Static<typeof CpiVintages> {
  const byMonth = new Map(months.map((row) => [row.month, row]));
  const current = [...byMonth.keys()];
  const times = isWhole ? [...current, ...withdrawnTimes(current, revisions)].sort((a, b) => a - b) : current;
  const indices = {
    names: cpiComponents,
    current: (month: number) => indicesIn(byMonth.get(month)),
    isIn: (part: string, name: CpiComponent) => part === name,
    valueIn: (row: unknown) => (row as IndexPoint | undefined)?.index,
  };
  const { begin } = revisions;
  return {
    knownSince: begin.at,
    sinceGeneration: begin.generation,
    months: vintagesOf(times, indices, revisions).map(([month, vintages]) => ({ month, vintages })),
  };
}

function indicesIn(row: CpiMonth | undefined): Partial<Record<CpiComponent, number>> {
  return Object.fromEntries(cpiComponents.flatMap((name) => (row?.[name] ? [[name, row[name].index]] : [])));
}
