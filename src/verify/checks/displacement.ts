import { type AnswerCheck, Copied, type Expected, rowsOf, type Stored } from "../check.js";
import { textOrder } from "./text-order.js";

interface Pair {
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

/** The country code for people whose country of origin or asylum is unknown. */
const NOWHERE = "-";

export function pairsIn(stored: Stored): readonly Pair[] {
  return rowsOf<Pair>(stored, "population");
}

function total(pairs: readonly Pair[], member: "refugees" | "asylumSeekers" | "idps" | "stateless"): number {
  let sum = 0;
  for (const pair of pairs) sum += pair[member];
  return sum;
}

function fourOf(pairs: readonly Pair[]) {
  return {
    refugees: total(pairs, "refugees"),
    asylumSeekers: total(pairs, "asylumSeekers"),
    idps: total(pairs, "idps"),
    stateless: total(pairs, "stateless"),
  };
}

function sumOf({ refugees, asylumSeekers, idps, stateless }: ReturnType<typeof fourOf>): number {
  return refugees + asylumSeekers + idps + stateless;
}

function groupedBy(pairs: readonly Pair[], codeOf: (pair: Pair) => string): ReadonlyMap<string, readonly Pair[]> {
  const groups = new Map<string, Pair[]>();
  for (const pair of pairs) groups.set(codeOf(pair), [...(groups.get(codeOf(pair)) ?? []), pair]);
  return groups;
}

/** Adds up, for every country, the people who left it and the people who arrived in it. */
export function countriesOf(pairs: readonly Pair[]) {
  const origins = groupedBy(pairs, ({ originCode }) => originCode);
  const hosts = groupedBy(pairs, ({ asylumCode }) => asylumCode);
  const codes = new Set([...origins.keys(), ...hosts.keys()].filter((code) => code !== NOWHERE));
  return [...codes]
    .map((code) => {
      const left = fourOf(origins.get(code) ?? []);
      const arrived = fourOf(hosts.get(code) ?? []);
      return {
        code,
        ...left,
        totalDisplaced: sumOf(left),
        hostRefugees: arrived.refugees,
        hostAsylumSeekers: arrived.asylumSeekers,
        hostTotal: arrived.refugees + arrived.asylumSeekers,
        hostStateless: arrived.stateless,
      };
    })
    .sort((a, b) => {
      const [ofA, ofB] = [a, b].map(({ totalDisplaced, hostTotal }) => Math.max(totalDisplaced, hostTotal));
      return (ofB ?? 0) - (ofA ?? 0) || textOrder(a.code, b.code);
    });
}

function flowsOf(pairs: readonly Pair[]): readonly Expected[] {
  return pairs
    .filter(({ refugees, originCode, asylumCode }) => refugees > 0 && originCode !== NOWHERE && asylumCode !== NOWHERE)
    .sort(
      (a, b) =>
        b.refugees - a.refugees || textOrder(a.originCode, b.originCode) || textOrder(a.asylumCode, b.asylumCode),
    )
    .map(({ originCode, originName, asylumCode, asylumName, refugees }) => {
      return { originCode, originName, asylumCode, asylumName, refugees };
    });
}

export const displaced: AnswerCheck = {
  operation: "displacement/get-displacement-summary",
  what: "totals of the world and of each country as origin and as host; largest flows",
  queries: () => ["", "country_limit=5&flow_limit=5"],
  recompute({ query, from }) {
    const stored = from("displacement");
    const pairs = pairsIn(stored);
    const four = fourOf(pairs);
    const countries = countriesOf(pairs);
    return {
      dataAvailable: true,
      fetchedAt: new Copied(stored.builtAt),
      summary: {
        year: pairs[0]?.year,
        globalTotals: { ...four, total: sumOf(four) },
        countries: countries.slice(0, Number(query.get("country_limit") ?? countries.length)),
        topFlows: flowsOf(pairs).slice(0, Number(query.get("flow_limit") ?? 50)),
      },
    };
  },
};
