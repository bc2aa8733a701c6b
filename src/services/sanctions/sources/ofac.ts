import { type Static, Type } from "typebox";
import { BadRow, SourceFailure, source, step } from "../../../contract/source.js";
import type { EntityType, ListedEntity } from "../records.js";
import { leastEntries } from "../rules/least-entries.js";
import { type Least, LOST_RATIO_MAX, wholeList } from "../rules/whole-list.js";
import { countriesOf, type ListPlan, listedEntity } from "./list-fields.js";

const EXPORTS = "https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports";

const PrimaryRow = Type.Object({
  number: Type.String({ pattern: "^\\d+$" }),
  name: Type.String({ pattern: "\\S" }),
  type: Type.String(),
  programs: Type.String(),
  remarks: Type.Optional(Type.String()),
});
const primaryColumns = [
  "number",
  "name",
  "type",
  "programs",
  "title",
  "callSign",
  "vesselType",
  "tonnage",
  "grossTonnage",
  "flag",
  "owner",
  "remarks",
];

const AliasRow = Type.Object({ number: Type.String({ pattern: "^\\d+$" }), name: Type.String({ minLength: 1 }) });
const aliasColumns = ["number", "aliasNumber", "kind", "name", "remarks"];

const AddressRow = Type.Object({ number: Type.String({ pattern: "^\\d+$" }), country: Type.String() });
const addressColumns = ["number", "addressNumber", "address", "city", "country", "remarks"];

type Cells = Readonly<Record<string, string>>;

/**
 * Empties each cell that contains only `-0-`, and drops rows without a number, such as the control character at the end
 * of a file.
 */
function rowsOf({ rows }: { readonly rows: Iterable<Cells> }): readonly Cells[] {
  return [...rows]
    .filter(({ number = "" }) => /[^\p{Cc}\s]/u.test(number))
    .map((row) => Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, cell === "-0-" ? "" : cell])));
}

const types: Readonly<Record<string, EntityType>> = {
  "": "entity",
  individual: "individual",
  vessel: "vessel",
  aircraft: "aircraft",
};

interface OfacList {
  readonly id: string;
  readonly title: string;
  /** Prefix of the ids of the list's entries. */
  readonly prefix: string;
  /** Names of the list's three files. */
  readonly files: { readonly primary: string; readonly aliases: string; readonly addresses: string };
  readonly least: Least;
  readonly seen: "recorded";
}

const request = (file: string) => ({ key: file, url: `${EXPORTS}/${file}`, timeoutMs: 120_000 });

/**
 * Defines the source of a list of the US Treasury's Office of Foreign Assets Control. The source reads the entries,
 * their aliases and their addresses.
 */
function ofacList({ id, title, prefix, files, least, seen }: OfacList) {
  const entities = step({
    ask: (plan: ListPlan): readonly ListPlan[] => [plan],
    request: () => request(files.primary),
    format: { kind: "csv", columns: primaryColumns },
    row: PrimaryRow,
    rows: rowsOf,
    record: primaryRecord,
  });
  const aliases = step({
    request: () => request(files.aliases),
    format: { kind: "csv", columns: aliasColumns },
    row: AliasRow,
    rows: rowsOf,
    record: (row) => row,
  });
  const addresses = step({
    request: () => request(files.addresses),
    format: { kind: "csv", columns: addressColumns },
    row: AddressRow,
    rows: rowsOf,
    record: (row) => row,
  });
  return source({
    id,
    title,
    home: "https://sanctionslist.ofac.treas.gov/Home",
    seen,
    licence: { name: "US government work", attribution: "U.S. Department of the Treasury, OFAC", open: true },
    steps: { entities, aliases, addresses },
    combine(results, tally): readonly ListedEntity[] {
      tally.joined(
        "aliases and addresses of an entry",
        results.aliases.records.length + results.addresses.records.length,
      );
      checkComplete(results.entities.records, [...results.aliases.records, ...results.addresses.records]);
      const aliasesOf = valuesByNumber(results.aliases.records, ({ name }) => name);
      const countryNamesOf = valuesByNumber(results.addresses.records, ({ country }) => country);
      const read = results.entities.records.map((row) =>
        entityOf(prefix, row, {
          aliases: aliasesOf.get(row.number) ?? [],
          countryNames: countryNamesOf.get(row.number) ?? [],
        }),
      );
      return wholeList(results.entities.answers[0]?.context.stored ?? [], read, least, tally);
    },
    observedAt: () => undefined,
  });
}

interface Numbered {
  readonly number: string;
}

/**
 * Throws `SourceFailure` "changed" if more than a tenth of the aliases and addresses refer to entries that the list
 * lacks.
 */
function checkComplete(entries: readonly Numbered[], further: readonly Numbered[]): void {
  const numbers = new Set(entries.map(({ number }) => number));
  const strays = further.filter(({ number }) => !numbers.has(number)).length;
  if (strays <= further.length * LOST_RATIO_MAX) return;
  const problem = `${strays} of ${further.length} aliases and addresses refer to entries that the list lacks`;
  throw new SourceFailure("changed", `${problem}; expected at most a tenth`);
}

function valuesByNumber<Row extends Numbered>(
  rows: readonly Row[],
  cellOf: (row: Row) => string,
): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  for (const row of rows) {
    const listed = values.get(row.number);
    if (listed) listed.push(cellOf(row));
    else values.set(row.number, [cellOf(row)]);
  }
  return values;
}

interface PrimaryRecord extends Omit<Static<typeof PrimaryRow>, "type"> {
  readonly type: EntityType;
}

function primaryRecord(row: Static<typeof PrimaryRow>): PrimaryRecord {
  const type = types[row.type.toLowerCase()];
  if (type === undefined) throw new BadRow(`unknown type "${row.type.slice(0, 40)}"`);
  return { ...row, type };
}

interface Further {
  readonly aliases: readonly string[];
  readonly countryNames: readonly string[];
}

export function entityOf(
  prefix: string,
  { number, name, type, programs, remarks = "" }: PrimaryRecord,
  { aliases, countryNames }: Further,
): ListedEntity {
  // A name of a country can have commas and hyphens: `Korea, North`, `Guinea-Bissau`.
  const nationalities = [...remarks.matchAll(/\b(?:nationality|citizen) ([A-Z][^;.]{2,80})/g)].map(
    ([, country = ""]) => country,
  );
  return listedEntity({
    id: `${prefix}:${number}`,
    name,
    aliases: [...aliases, ...quotedAliases(remarks)],
    type,
    countries: countriesOf([...nationalities, ...countryNames]),
    programs: programs.split("] [").filter((program) => program !== ""),
    note: remarks,
  });
}

const ALIAS_OPENING = "a.k.a. '";

/**
 * Returns the aliases that remarks quote, such as `DOB 1970; a.k.a. 'O'FICTA'.` An alias can contain apostrophes of its
 * own, so it ends at the quote before the semicolon or the final full stop.
 */
function quotedAliases(remarks: string): readonly string[] {
  return remarks.split(";").flatMap((remark) => {
    const start = remark.indexOf(ALIAS_OPENING);
    const quoted = remark.trimEnd().replace(/\.$/, "");
    if (start === -1 || !quoted.endsWith("'")) return [];
    const alias = quoted.slice(start + ALIAS_OPENING.length, -1);
    return alias.length >= 2 && alias.length <= 100 ? [alias] : [];
  });
}

/** Specially Designated Nationals and Blocked Persons. */
export const ofacSdn = ofacList({
  id: "ofac-sdn",
  title: "OFAC, Specially Designated Nationals list",
  prefix: "ofac-sdn",
  files: { primary: "SDN.CSV", aliases: "ALT.CSV", addresses: "ADD.CSV" },
  least: leastEntries.sdn,
  seen: "recorded",
});

/** OFAC's lists other than the Specially Designated Nationals list. */
export const ofacConsolidated = ofacList({
  id: "ofac-consolidated",
  title: "OFAC, consolidated list of other sanctions",
  prefix: "ofac-consolidated",
  files: { primary: "CONS_PRIM.CSV", aliases: "CONS_ALT.CSV", addresses: "CONS_ADD.CSV" },
  least: leastEntries.consolidated,
  seen: "recorded",
});
