import { alpha2 } from "../../../geography/countries.js";
import { containing, type Expected, rowsOf, type Stored } from "../../check.js";
import { countriesOf, pairsIn } from "../displacement.js";
import { count, counted, type Fact, type Facts, keyOf, storedFacts, wholePart } from "./fact.js";

interface Month {
  readonly countryCode: string;
  readonly conflictPoliticalViolenceEvents?: number;
  readonly conflictFatalities?: number;
  readonly civilianTargetingEvents?: number;
  readonly conflictDemonstrations?: number;
}

function humanitarianFacts(stored: Stored): Facts {
  const facts = new Map<string, Expected>();
  for (const month of rowsOf<Month>(stored, "months")) {
    const { conflictPoliticalViolenceEvents: violence, conflictDemonstrations: demonstrations } = month;
    const { conflictFatalities: deaths, civilianTargetingEvents: targeting } = month;
    const value = violence === undefined ? demonstrations : violence;
    if (value === undefined) continue;
    facts.set(keyOf(month.countryCode, "Humanitarian summary of the month, HDX HAPI"), {
      value: counted(value, violence === undefined ? "demonstration" : "event"),
      factText: containing(
        ...(violence === undefined ? [] : [`${counted(violence, "event")} of political violence`]),
        ...(targeting && violence !== undefined ? [`(${count(targeting)} of them targeting civilians)`] : []),
        ...(deaths === undefined ? [] : [counted(deaths, "death")]),
        ...(demonstrations === undefined ? [] : [counted(demonstrations, "demonstration")]),
      ),
    });
  }
  return facts;
}

function displacementFacts(stored: Stored): Facts {
  const facts = new Map<string, Expected>();
  const stated = new Set<string>();
  for (const country of countriesOf(pairsIn(stored))) {
    const code = alpha2(country.code);
    if (code === undefined || stated.has(code)) continue;
    stated.add(code);
    const text = (value: number, singular: string, plural: string): readonly string[] =>
      value > 0 ? [counted(value, singular, plural)] : [];
    const left = [
      ...text(country.refugees, "refugee", "refugees"),
      ...text(country.asylumSeekers, "asylum seeker", "asylum seekers"),
      ...text(country.idps, "internally displaced person", "internally displaced people"),
      ...text(country.stateless, "stateless person", "stateless people"),
    ];
    const came = [
      ...text(country.hostRefugees, "refugee", "refugees"),
      ...text(country.hostAsylumSeekers, "asylum seeker", "asylum seekers"),
    ];
    const fact = (total: number, texts: readonly string[]): Expected => ({
      value: counted(total, "person", "people"),
      factText: containing(...texts),
    });
    if (left.length > 0) facts.set(keyOf(code, "Displaced by origin, UNHCR"), fact(country.totalDisplaced, left));
    if (came.length > 0) facts.set(keyOf(code, "Hosted, UNHCR"), fact(country.hostTotal, came));
  }
  return facts;
}

const listNames: Readonly<Record<string, string>> = {
  "OFAC SDN": "sdn",
  "OFAC Consolidated": "consolidated",
  "Canada (SEMA)": "sema",
  "UN Security Council": "un",
};

function sanctionsFact(stored: Stored): (fact: Fact) => Expected {
  const counts = new Map<string, number>();
  for (const [name, part] of Object.entries(listNames)) {
    for (const { countries = [] } of rowsOf<{ readonly countries?: readonly string[] }>(stored, part)) {
      for (const code of countries) counts.set(`${name} ${code}`, (counts.get(`${name} ${code}`) ?? 0) + 1);
    }
  }
  return ({ label, countryCode }) => {
    const entries = counts.get(`${label.replace("Sanctions list, ", "")} ${countryCode}`) ?? 0;
    const value = counted(entries, "entry", "entries");
    return { value, factText: containing(`, has ${value} `) };
  };
}

export const peopleFacts = [
  wholePart("humanitarian", "humanitarian-summary", humanitarianFacts),
  wholePart("displacement", "displacement", displacementFacts),
  storedFacts("sanctions", "sanctions-lists", sanctionsFact),
];
