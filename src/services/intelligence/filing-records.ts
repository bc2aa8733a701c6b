import { type Static, Type } from "typebox";
import { epochMs } from "../../contract/field.js";

/** A company as the SEC registers it. */
export const Filer = Type.Object({
  cik: Type.String({ pattern: "^\\d{10}$", description: "Central Index Key, ten digits" }),
  companyName: Type.String({ minLength: 1, maxLength: 200, description: "Name of the company in the SEC's register" }),
});
export type Filer = Static<typeof Filer>;

/** A current report (8-K) of one or several companies. */
export const StoredFiling = Type.Object({
  accessionNumber: Type.String({ pattern: "^\\d{10}-\\d{2}-\\d{6}$" }),
  form: Type.Enum(["8-K", "8-K/A"]),
  filedAt: epochMs("Time at which the SEC accepted the report"),
  ...Filer.properties,
  coFilers: Type.Optional(Type.Array(Filer, { description: "The other companies that filed the same report" })),
  items: Type.Array(Type.String(), { description: "Codes of the report's items, ascending" }),
  url: Type.String(),
});
export type StoredFiling = Static<typeof StoredFiling>;

const FilingEventItem = Type.Object(
  {
    code: Type.String({ description: "Code of the item, such as `1.05`" }),
    description: Type.String({ description: "Vigil's short name for the item" }),
  },
  { title: "FilingEventItem" },
);

/** A served filing. */
export const FilingEvent = Type.Object(
  {
    company: Type.String({ description: "Name of the company in the SEC's register" }),
    cik: Type.String({ pattern: "^\\d{10}$", description: "Central Index Key of the company, ten digits" }),
    form: Type.Enum(["8-K", "8-K/A"], { description: "`8-K`, or `8-K/A` for an amendment" }),
    accession: Type.String({ description: "Accession number, which identifies the filing" }),
    filedAtMs: epochMs("Time at which the SEC accepted the filing"),
    items: Type.Array(FilingEventItem, { description: "All items of the filing, ascending by code" }),
    url: Type.String({ description: "The SEC's page about the filing" }),
  },
  { title: "FilingEvent" },
);
export type FilingEvent = Static<typeof FilingEvent>;
