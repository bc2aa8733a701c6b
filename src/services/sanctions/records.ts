import { type Static, Type } from "typebox";
import { epochMs } from "../../contract/field.js";

/** The lists, in the order in which they are named. */
export const listNames = {
  sdn: "OFAC SDN",
  consolidated: "OFAC Consolidated",
  sema: "SEMA",
  un: "UN",
} as const;
export type ListKey = keyof typeof listNames;

export const entityTypes = ["entity", "individual", "vessel", "aircraft"] as const;
export type EntityType = (typeof entityTypes)[number];

/** An entry of a list as it is stored. */
export interface ListedEntity {
  /** `<list>:<id at the list>`. */
  readonly id: string;
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly type: EntityType;
  /** ISO 3166-1 alpha-2. */
  readonly countries?: readonly string[];
  readonly programs: readonly string[];
  /** Day of its listing, epoch ms; undefined where the list gives none. */
  readonly listedAt?: number;
  /** Date of the edition, epoch ms; undefined where the list gives none. */
  readonly publishedAt?: number;
  readonly note?: string;
  /** The last good build of its list did not hold it. */
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
    name: Type.String({ description: "Name as the list writes it" }),
    entityType: Type.Enum(["SANCTIONS_ENTITY_TYPE_UNSPECIFIED", ...Object.values(typeNames)], {
      description: "Kind of the listed",
    }),
    countryCodes: Type.Array(Type.String(), { description: "Countries of its addresses or nationality; alpha-2" }),
    countryNames: Type.Array(Type.String(), { description: "The same countries by their English names" }),
    programs: Type.Array(Type.String(), { description: "Programme codes of the list" }),
    sourceLists: Type.Array(Type.String(), { description: "The list: OFAC SDN, OFAC Consolidated, SEMA or UN" }),
    effectiveAt: Type.Optional(epochMs("Day of its listing; absent where the list gives none")),
    isNew: Type.Boolean({ description: "True where the build before did not hold it; never in the first build" }),
    note: Type.String({ maxLength: 240, description: "Remarks of the list, cut; empty without any" }),
  },
  { title: "SanctionsEntry" },
);
export type SanctionsEntry = Static<typeof SanctionsEntry>;

export const CountrySanctionsPressure = Type.Object(
  {
    countryCode: Type.String({ description: "ISO 3166-1 alpha-2" }),
    countryName: Type.String({ description: "English name" }),
    entryCount: count("Entries with this country"),
    newEntryCount: count("New ones of them"),
    vesselCount: count("Vessels of them"),
    aircraftCount: count("Aircraft of them"),
  },
  { title: "CountrySanctionsPressure" },
);
export type CountrySanctionsPressure = Static<typeof CountrySanctionsPressure>;

export const ProgramSanctionsPressure = Type.Object(
  {
    program: Type.String({ description: "Programme code of the list, such as RUSSIA-EO14024 or SEMA" }),
    entryCount: count("Entries of this programme"),
    newEntryCount: count("New ones of them"),
  },
  { title: "ProgramSanctionsPressure" },
);
export type ProgramSanctionsPressure = Static<typeof ProgramSanctionsPressure>;

export const SanctionEntityMatch = Type.Object(
  {
    id: Type.String({ minLength: 1, description: "`<list>:<id at the list>`" }),
    name: Type.String({ description: "Name as the list writes it" }),
    entityType: Type.Enum([...entityTypes], { description: "Kind of the listed" }),
    countryCodes: Type.Array(Type.String(), { maxItems: 3, description: "Its first three countries; alpha-2" }),
    programs: Type.Array(Type.String(), { maxItems: 3, description: "Its first three programmes" }),
    score: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 100,
        description: "100 the whole name, 80 its beginning, 40–60 every word, 10 for each word where some are missing",
      }),
    ),
    matchedName: Type.Optional(Type.String({ description: "The name or alias that matched" })),
  },
  { title: "SanctionEntityMatch" },
);
export type SanctionEntityMatch = Static<typeof SanctionEntityMatch>;

export const SearchedList = Type.Object(
  {
    name: Type.String({ description: "OFAC SDN, OFAC Consolidated, SEMA or UN" }),
    searched: Type.Boolean({ description: "False where the list could not be read and none of it is stored" }),
    entryCount: Type.Optional(count("Entries that were searched; absent where it was not searched")),
    readAt: Type.Optional(epochMs("When the list was last read from its publisher; absent where never")),
    publishedAt: Type.Optional(
      epochMs("Date of the edition, or its newest listing; absent where the list gives neither"),
    ),
    error: Type.Optional(Type.String({ description: "Why the newest reading failed; absent where it did not" })),
  },
  { title: "SearchedSanctionsList" },
);
export type SearchedList = Static<typeof SearchedList>;
