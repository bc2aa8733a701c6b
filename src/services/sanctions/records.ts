import { type Static, Type } from "typebox";
import { epochMs } from "../../contract/field.js";

/**
 * The lists, in served order. OFAC, the sanctions office of the US Treasury, publishes two: Specially Designated
 * Nationals (SDN), and Consolidated, which joins its other lists. SEMA is Canada's list, named after its Special
 * Economic Measures Act.
 */
export const listNames = {
  sdn: "OFAC SDN",
  consolidated: "OFAC Consolidated",
  sema: "SEMA",
  un: "UN",
} as const;
export type ListKey = keyof typeof listNames;

export const entityTypes = ["entity", "individual", "vessel", "aircraft"] as const;
export type EntityType = (typeof entityTypes)[number];

/** A stored entry of a list. */
export interface ListedEntity {
  /** `<list>:<id at the list>`. */
  readonly id: string;
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly type: EntityType;
  /** ISO 3166-1 alpha-2. */
  readonly countries?: readonly string[];
  readonly programs: readonly string[];
  /** Day of the listing, epoch ms; undefined if the list gives none. */
  readonly listedAt?: number;
  /** Date of the edition, epoch ms; undefined if the list gives none. */
  readonly publishedAt?: number;
  readonly note?: string;
  /** True in the first build that has the entry, if an earlier build had its list. */
  readonly isNew?: true;
}

const typeNames = {
  entity: "SANCTIONS_ENTITY_TYPE_ENTITY",
  individual: "SANCTIONS_ENTITY_TYPE_INDIVIDUAL",
  vessel: "SANCTIONS_ENTITY_TYPE_VESSEL",
  aircraft: "SANCTIONS_ENTITY_TYPE_AIRCRAFT",
} as const;
export const typeNameOf = (type: EntityType): (typeof typeNames)[EntityType] => typeNames[type];

const count = (description: string) => Type.Integer({ format: "int32", description });

export const SanctionsEntry = Type.Object(
  {
    id: Type.String({ minLength: 1, description: "`<list>:<id at the list>`" }),
    name: Type.String({ description: "Name as written in the list" }),
    entityType: Type.Enum(["SANCTIONS_ENTITY_TYPE_UNSPECIFIED", ...Object.values(typeNames)], {
      description: "Type of the entity",
    }),
    countryCodes: Type.Array(Type.String(), { description: "Countries of its addresses or nationality; alpha-2" }),
    countryNames: Type.Array(Type.String(), { description: "English names of the same countries" }),
    programs: Type.Array(Type.String(), { description: "Programme codes of the list" }),
    sourceLists: Type.Array(Type.String(), { description: "The list: OFAC SDN, OFAC Consolidated, SEMA or UN" }),
    effectiveAt: Type.Optional(epochMs("Day of its listing; absent if the list gives none")),
    isNew: Type.Boolean({
      description: "True if the previous build did not have the entry; never true in the first build",
    }),
    note: Type.String({ maxLength: 240, description: "Remarks of the list, shortened; empty if there are none" }),
  },
  { title: "SanctionsEntry" },
);
export type SanctionsEntry = Static<typeof SanctionsEntry>;

export const CountrySanctionsPressure = Type.Object(
  {
    countryCode: Type.String({ description: "ISO 3166-1 alpha-2" }),
    countryName: Type.String({ description: "English name" }),
    entryCount: count("Number of entries with this country"),
    newEntryCount: count("Number of new entries with this country"),
    vesselCount: count("Number of vessels with this country"),
    aircraftCount: count("Number of aircraft with this country"),
  },
  { title: "CountrySanctionsPressure" },
);
export type CountrySanctionsPressure = Static<typeof CountrySanctionsPressure>;

export const ProgramSanctionsPressure = Type.Object(
  {
    program: Type.String({ description: "Programme code of the list, such as RUSSIA-EO14024 or SEMA" }),
    entryCount: count("Number of entries of this programme"),
    newEntryCount: count("Number of new entries of this programme"),
  },
  { title: "ProgramSanctionsPressure" },
);
export type ProgramSanctionsPressure = Static<typeof ProgramSanctionsPressure>;

export const SanctionEntityMatch = Type.Object(
  {
    id: Type.String({ minLength: 1, description: "`<list>:<id at the list>`" }),
    name: Type.String({ description: "Name as written in the list" }),
    entityType: Type.Enum([...entityTypes], { description: "Type of the entity" }),
    countryCodes: Type.Array(Type.String(), { maxItems: 3, description: "The entry's first three countries; alpha-2" }),
    programs: Type.Array(Type.String(), { maxItems: 3, description: "The entry's first three programmes" }),
    score: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 100,
        description:
          "100 if the query is the whole name, 80 if the name begins with the query, 40 to 60 if the name has all words of the query; otherwise 10 for each matching word, at most 40",
      }),
    ),
    matchedName: Type.Optional(Type.String({ description: "The matching name or alias" })),
  },
  { title: "SanctionEntityMatch" },
);
export type SanctionEntityMatch = Static<typeof SanctionEntityMatch>;

export const SearchedList = Type.Object(
  {
    name: Type.String({ description: "OFAC SDN, OFAC Consolidated, SEMA or UN" }),
    searched: Type.Boolean({ description: "False if the list is not stored, because it could not be read" }),
    entryCount: Type.Optional(count("Number of searched entries; absent if the list was not searched")),
    readAt: Type.Optional(epochMs("Time of the last read from the publisher; absent if the list was never read")),
    publishedAt: Type.Optional(
      epochMs("Date of the edition, or of the newest listing; absent if the list has neither"),
    ),
    error: Type.Optional(Type.String({ description: "The reason why the newest read failed; absent if it succeeded" })),
  },
  { title: "SearchedSanctionsList" },
);
export type SearchedList = Static<typeof SearchedList>;
