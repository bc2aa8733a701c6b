import { type Static, Type } from "typebox";
import { GeoCoordinates } from "../../contract/coordinates.js";

const People = (description: string) =>
  Type.Integer({ format: "int64", minimum: 0, description: `${description}; people` });

/**
 * The stored numbers of people from one country of origin in one country of asylum. The codes are those of the source;
 * "-" means no country.
 */
export interface PopulationRow {
  readonly year: number;
  readonly originCode: string;
  readonly originName: string;
  readonly asylumCode: string;
  readonly asylumName: string;
  readonly refugees: number;
  readonly asylumSeekers: number;
  readonly idps: number;
  readonly stateless: number;
}

/** The numbers of displaced people from a country, and of those that the country hosts. */
export const CountryDisplacement = Type.Object(
  {
    code: Type.String({ minLength: 1, description: "The source's code, mostly ISO 3166-1 alpha-3" }),
    name: Type.String({ description: "English name" }),
    refugees: People("Refugees from the country"),
    asylumSeekers: People("Asylum seekers from the country"),
    idps: People("People displaced within the country"),
    stateless: People(
      "Stateless people from the country; people without a country of origin are counted under the code XXA",
    ),
    totalDisplaced: People("Sum of `refugees`, `asylumSeekers`, `idps` and `stateless`"),
    hostRefugees: People("Refugees in the country"),
    hostAsylumSeekers: People("Asylum seekers in the country"),
    hostTotal: People("Sum of refugees and asylum seekers in the country"),
    hostStateless: People("Stateless people in the country, of any origin; not part of `hostTotal`"),
    location: Type.Optional(GeoCoordinates),
  },
  { title: "CountryDisplacement" },
);
export type CountryDisplacement = Static<typeof CountryDisplacement>;

/** The refugees from one country who live in another. */
export const DisplacementFlow = Type.Object(
  {
    originCode: Type.String({ minLength: 1, description: "The source's code of the country of origin" }),
    originName: Type.String({ description: "English name of the country of origin" }),
    asylumCode: Type.String({ minLength: 1, description: "The source's code of the country of asylum" }),
    asylumName: Type.String({ description: "English name of the country of asylum" }),
    refugees: People("Refugees"),
    originLocation: Type.Optional(GeoCoordinates),
    asylumLocation: Type.Optional(GeoCoordinates),
  },
  { title: "DisplacementFlow" },
);
export type DisplacementFlow = Static<typeof DisplacementFlow>;

export const GlobalDisplacementTotals = Type.Object(
  {
    refugees: People("Refugees"),
    asylumSeekers: People("Asylum seekers"),
    idps: People("Internally displaced"),
    stateless: People("Stateless"),
    total: People("Sum of refugees, asylum seekers, internally displaced and stateless people"),
  },
  { title: "GlobalDisplacementTotals", description: "Totals of all people, including those of unknown origin." },
);
export type GlobalDisplacementTotals = Static<typeof GlobalDisplacementTotals>;

/** An empty summary has only the lists; its other members are absent. */
export const DisplacementSummary = Type.Object(
  {
    year: Type.Optional(
      Type.Integer({
        format: "int32",
        description: "Calendar year of the figures. They are as of its end; until then, UNHCR may publish estimates",
      }),
    ),
    globalTotals: Type.Optional(GlobalDisplacementTotals),
    countries: Type.Array(CountryDisplacement, {
      description: "Sorted by the larger of `totalDisplaced` and `hostTotal`, descending",
    }),
    topFlows: Type.Array(DisplacementFlow, { description: "Most refugees first" }),
  },
  { title: "DisplacementSummary", description: "An empty summary has only the lists; its other members are absent." },
);
