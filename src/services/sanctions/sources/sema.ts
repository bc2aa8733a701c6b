import { type Static, Type } from "typebox";
import { SourceFailure, source, step } from "../../../contract/source.js";
import type { ListedEntity } from "../records.js";
import { leastEntries } from "../rules/least-entries.js";
import { wholeList } from "../rules/whole-list.js";
import { countriesOf, dayOf, type ListPlan, listedEntity, listRanges } from "./list-fields.js";

const Text = Type.Optional(Type.String());

const Row = Type.Object({
  Country: Type.String({ minLength: 1 }),
  LastName: Text,
  GivenName: Text,
  EntityOrShip: Text,
  TitleOrShip: Text,
  Aliases: Text,
  Schedule: Text,
  Item: Type.String({ minLength: 1 }),
  DateOfListing: Text,
  ShipIMONumber: Text,
});

/** The autonomous sanctions of Canada. The `Country` of a record is the sanctions regime, not a nationality. */
export const sema = source({
  id: "ca-sema",
  title: "Global Affairs Canada, consolidated autonomous sanctions list",
  home: "https://www.international.gc.ca/world-monde/international_relations-relations_internationales/sanctions/consolidated-consolide.aspx?lang=eng",
  seen: "recorded",
  unseen: "ships and aliases",
  licence: {
    name: "Open Government Licence – Canada",
    url: "https://open.canada.ca/en/open-government-licence-canada",
    attribution: "Contains information licensed under the Open Government Licence – Canada: Global Affairs Canada",
    open: true,
  },
  steps: {
    records: step({
      ask: (plan: ListPlan): readonly ListPlan[] => [plan],
      request: () => ({
        key: "sema",
        url: "https://www.international.gc.ca/world-monde/assets/office_docs/international_relations-relations_internationales/sanctions/sema-lmes.xml",
      }),
      format: { kind: "xml", root: "data-set", lists: ["record"] },
      row: Row,
      rows(document) {
        const { record = [] } = document;
        if (!Array.isArray(record)) throw new SourceFailure("changed", "expected data-set/record");
        return record;
      },
      record: entityOf,
    }),
  },
  combine: ({ records: { records, answers } }, tally) =>
    wholeList(answers[0]?.context.stored ?? [], records, leastEntries.sema, tally),
  observedAt: ({ listedAt }) => listedAt,
  ranges: listRanges,
});

/** Programme codes of the regimes that are named after a law or group instead of a country. */
const programs: readonly (readonly [pattern: RegExp, program: string])[] = [
  [/justice for victims|corrupt foreign officials|\bjvcfo/i, "JVCFOR"],
  [/\bhamas\b/i, "HAMAS"],
  [/\bsettler/i, "SETTLER"],
];

function entityOf(row: Static<typeof Row>): ListedEntity {
  // Some records name the regime in two languages: "Russia / Russie".
  const regime = row.Country.split("/")[0]?.trim() ?? "";
  const { Schedule: schedule = "", EntityOrShip: organisation = "", ShipIMONumber: imo = "" } = row;
  const person = [row.GivenName, row.LastName].filter((name) => name).join(" ");
  // The column holds the title of a person or the name of a ship, so in a record without another name it is a ship's.
  const isTitle = organisation !== "" || person !== "";
  const [title = "", ship = ""] = isTitle ? [row.TitleOrShip] : ["", row.TitleOrShip];
  return listedEntity({
    id: `sema:${[regime, schedule, row.Item].map(slug).join("-")}`,
    name: organisation || person || ship,
    aliases: (row.Aliases ?? "").split(/[;|]/),
    type: imo !== "" || ship !== "" ? "vessel" : organisation !== "" ? "entity" : "individual",
    countries: countriesOf([regime]),
    programs: [programs.find(([pattern]) => pattern.test(regime))?.[1] ?? "SEMA"],
    listedAt: dayOf(row.DateOfListing),
    note: [title, imo && `IMO ${imo}`, `Schedule ${schedule}, item ${row.Item}`].filter((word) => word).join("; "),
  });
}

const slug = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-");
