import { DAY_MS } from "../../../kit/clock.js";
import { rememberPerSeed, streamFor } from "../../../simulator/models/random-stream.js";
import {
  rewriteMiddle,
  type SimulatedAnswer,
  type SimulatedRequest,
  simulatedUpstream,
} from "../../../simulator/upstream.js";
import { countryNames, personOf, phraseOf } from "./models/names.js";

const HOST = "sanctionslistservice.ofac.treas.gov";
const EXPORTS = "/api/PublicationPreview/exports";

/** A list with far fewer entries than the real one, but with at least the numbers that `leastEntries` requires. */
interface ListModel {
  readonly label: string;
  readonly firstNumber: number;
  readonly individuals: number;
  readonly entities: number;
  readonly vessels: number;
  readonly aircraft: number;
  readonly programs: readonly string[];
}

const sdn: ListModel = {
  label: "sdn",
  firstNumber: 36,
  individuals: 330,
  entities: 385,
  vessels: 55,
  aircraft: 18,
  programs: ["SIM-EO14024", "SIM-SDGT", "SIM-CYBER2", "SIM-IRAN"],
};
const consolidated: ListModel = {
  label: "consolidated",
  firstNumber: 9_639,
  individuals: 24,
  entities: 16,
  vessels: 0,
  aircraft: 0,
  programs: ["SIM-NS-PLC", "SIM-SSI"],
};
/** One entry is added on each day after `GROWS_FROM`, up to `GROWS_UNTIL`. */
const GROWS_FROM = Date.UTC(2026, 10, 1);
const GROWS_UNTIL = Date.UTC(2027, 10, 1);

const variants = {
  changed: (csv: string) => csv.replaceAll(/^(\d+),/gm, "no $1;"),
  empty: () => "\u001a\r\n",
  badRow: (csv: string) => rewriteMiddle(csv, /^\d+,/gm, () => "number,"),
};

type Rows = (model: ListModel, seed: number, now: number) => readonly string[];

const file = (name: string, model: ListModel, rows: Rows) => {
  // The rows of all days are generated once per seed. An answer has only the rows that exist at its time.
  const rowsFor = rememberPerSeed((seed) => rows(model, seed, GROWS_UNTIL));
  return {
    host: HOST,
    path: `${EXPORTS}/${name}`,
    handle: ({ clock, seed }: SimulatedRequest): SimulatedAnswer => {
      const all = rowsFor(seed);
      const shown = Math.ceil((all.length * countOf(model, clock.now())) / countOf(model, GROWS_UNTIL));
      // The last line of the real files is a single control character.
      const body = `${all.slice(0, shown).join("\r\n")}\r\n\u001a`;
      return { status: 200, contentType: "application/octet-stream", body };
    },
    variants,
  };
};

/**
 * Simulates OFAC's exports: tables without a header. Empty cells contain `-0-`, and `] [` separates the programmes of
 * an entry.
 */
export const upstream = simulatedUpstream({
  name: "ofac",
  routes: [
    file("SDN.CSV", sdn, primaryRows),
    file("ALT.CSV", sdn, aliasRows),
    file("ADD.CSV", sdn, addressRows),
    file("CONS_PRIM.CSV", consolidated, primaryRows),
    file("CONS_ALT.CSV", consolidated, aliasRows),
    file("CONS_ADD.CSV", consolidated, addressRows),
  ],
});

function countOf({ individuals, entities, vessels, aircraft }: ListModel, now: number): number {
  const added = Math.max(0, Math.floor((Math.min(now, GROWS_UNTIL) - GROWS_FROM) / DAY_MS));
  return individuals + entities + vessels + aircraft + added;
}

const EMPTY = "-0- ";
const quote = (text: string): string => `"${text}"`;

function primaryRows(model: ListModel, seed: number, now: number): readonly string[] {
  return Array.from({ length: countOf(model, now) }, (_, index) => primaryRow(model, seed, index));
}

function kindOf({ individuals, vessels, aircraft }: ListModel, index: number): string {
  if (index < individuals) return "individual";
  if (index < individuals + vessels) return "vessel";
  return index < individuals + vessels + aircraft ? "aircraft" : "";
}

function primaryRow(model: ListModel, seed: number, index: number): string {
  const random = streamFor(seed, `${model.label} ${index}`);
  const kind = kindOf(model, index);
  const program = model.programs[Math.floor(random() * model.programs.length)] ?? "";
  const programs = random() < 0.15 ? `${program}] [${model.programs[0]}` : program;
  const country = countryNames[Math.floor(random() * countryNames.length)] ?? "";
  const name =
    kind === "individual"
      ? personOf(random, ", ")
      : kind === "aircraft"
        ? `SIM-${index}`
        : phraseOf(random, kind === "vessel" ? "" : "LLC");
  const remarks =
    kind === "individual"
      ? `DOB ${1940 + Math.floor(random() * 60)}; nationality ${country}; a.k.a. 'SIM ${index}'; simulated.`
      : kind === "vessel"
        ? `Vessel Registration Identification IMO ${9_000_000 + index}; simulated.`
        : EMPTY;
  const owner = kind === "vessel" ? quote("Simulated Shipping") : EMPTY;
  const cells = [
    String(model.firstNumber + index),
    quote(name),
    kind === "" ? EMPTY : quote(kind),
    quote(programs),
    EMPTY,
    EMPTY,
    EMPTY,
    EMPTY,
    EMPTY,
    EMPTY,
    owner,
    remarks === EMPTY ? EMPTY : quote(remarks),
  ];
  return cells.join(",");
}

/** Creates the rows of aliases. Every second entry has an alias. */
function aliasRows(model: ListModel, seed: number, now: number): readonly string[] {
  return Array.from({ length: Math.floor(countOf(model, now) / 2) }, (_, half) => {
    const random = streamFor(seed, `${model.label} alias ${half}`);
    const name = half * 2 < model.individuals ? personOf(random, ", ") : phraseOf(random, "TRADING");
    return `${model.firstNumber + half * 2},${half + 1},"aka",${quote(name)},${EMPTY}`;
  });
}

function addressRows(model: ListModel, seed: number, now: number): readonly string[] {
  return Array.from({ length: countOf(model, now) }, (_, index) => {
    const random = streamFor(seed, `${model.label} address ${index}`);
    const country = countryNames[Math.floor(random() * countryNames.length)] ?? "";
    const cell = random() < 0.1 ? EMPTY : quote(country);
    return `${model.firstNumber + index},${index + 1},${EMPTY},"Simulated",${cell},${EMPTY}`;
  });
}
