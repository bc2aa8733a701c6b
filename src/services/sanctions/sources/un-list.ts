import { type Static, Type } from "typebox";
import { SourceFailure, source, step } from "../../../contract/source.js";
import { isoInstant } from "../../../kit/iso-instant.js";
import type { ListedEntity } from "../records.js";
import { leastEntries } from "../rules/least-entries.js";
import { wholeList } from "../rules/whole-list.js";
import { countriesOf, dayOf, type ListPlan, listedEntity, listRanges } from "./list-fields.js";

const Text = Type.Optional(Type.String());
const Alias = Type.Union([Type.Object({ ALIAS_NAME: Text }), Type.String()]);
const Address = Type.Union([Type.Object({ COUNTRY: Text }), Type.String()]);

const Row = Type.Object({
  type: Type.Enum(["individual", "entity"]),
  publishedAt: Type.Number(),
  DATAID: Type.String({ pattern: "^\\d+$" }),
  FIRST_NAME: Text,
  SECOND_NAME: Text,
  THIRD_NAME: Text,
  FOURTH_NAME: Text,
  NAME_ORIGINAL_SCRIPT: Text,
  UN_LIST_TYPE: Type.String({ minLength: 1 }),
  LISTED_ON: Text,
  COMMENTS1: Text,
  NATIONALITY: Type.Optional(Type.Union([Type.Object({ VALUE: Type.Array(Type.String()) }), Type.String()])),
  INDIVIDUAL_ALIAS: Type.Optional(Type.Array(Alias)),
  ENTITY_ALIAS: Type.Optional(Type.Array(Alias)),
  INDIVIDUAL_ADDRESS: Type.Optional(Type.Array(Address)),
  ENTITY_ADDRESS: Type.Optional(Type.Array(Address)),
});

/**
 * As of 2026 the list is about 2 MB. Its elements are read one after another, so even a far longer list fits into
 * memory.
 */
const LIST_BYTES_MAX = 64 * 1024 * 1024;

/** The consolidated list of the Security Council. */
export const unList = source({
  id: "un-consolidated",
  title: "UN Security Council, consolidated list",
  home: "https://main.un.org/securitycouncil/en/content/un-sc-consolidated-list",
  seen: "recorded",
  licence: { name: "Free use with credit", attribution: "United Nations Security Council", open: true },
  steps: {
    entries: step({
      ask: (plan: ListPlan): readonly ListPlan[] => [plan],
      request: () => ({
        key: "un",
        url: "https://scsanctions.un.org/resources/xml/en/consolidated.xml",
        bytesMax: LIST_BYTES_MAX,
        timeoutMs: 120_000,
      }),
      format: {
        kind: "xml elements",
        root: "CONSOLIDATED_LIST",
        each: ["INDIVIDUAL", "ENTITY"],
        lists: ["VALUE", "INDIVIDUAL_ALIAS", "ENTITY_ALIAS", "INDIVIDUAL_ADDRESS", "ENTITY_ADDRESS"],
      },
      row: Row,
      *rows({ attributes, elements }) {
        const publishedAt = isoInstant(attributes["@dateGenerated"] ?? "");
        if (publishedAt === undefined)
          throw new SourceFailure("changed", "expected a date in the list's dateGenerated attribute");
        for (const { name, node } of elements) {
          if (typeof node === "string") continue;
          yield { ...node, type: name === "INDIVIDUAL" ? "individual" : "entity", publishedAt };
        }
      },
      record: entityOf,
    }),
  },
  combine: ({ entries: { records, answers } }, tally) =>
    wholeList(answers[0]?.context.stored ?? [], records, leastEntries.un, tally),
  observedAt: ({ publishedAt }) => publishedAt,
  ranges: listRanges,
});

function entityOf(row: Static<typeof Row>): ListedEntity {
  const names = [row.FIRST_NAME, row.SECOND_NAME, row.THIRD_NAME, row.FOURTH_NAME].map((name) => name?.trim());
  const aliases = [...(row.INDIVIDUAL_ALIAS ?? []), ...(row.ENTITY_ALIAS ?? [])].map((alias) =>
    typeof alias === "string" ? alias : (alias.ALIAS_NAME ?? ""),
  );
  const nationalities = typeof row.NATIONALITY === "object" ? row.NATIONALITY.VALUE : [];
  const addresses = [...(row.INDIVIDUAL_ADDRESS ?? []), ...(row.ENTITY_ADDRESS ?? [])].map((address) =>
    typeof address === "string" ? "" : (address.COUNTRY ?? ""),
  );
  return {
    ...listedEntity({
      id: `un:${row.DATAID}`,
      name: names.filter((name) => name).join(" "),
      aliases: [...aliases, row.NAME_ORIGINAL_SCRIPT ?? ""],
      type: row.type,
      countries: countriesOf([...nationalities, ...addresses]),
      programs: [row.UN_LIST_TYPE],
      listedAt: dayOf(row.LISTED_ON),
      note: row.COMMENTS1,
    }),
    publishedAt: row.publishedAt,
  };
}
