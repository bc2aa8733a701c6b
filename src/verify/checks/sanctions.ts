import { normalName } from "../../kit/normal-name.js";
import { type AnswerCheck, Copied, copied, type Expected, oncePerGeneration, rowsOf, type Stored } from "../check.js";

interface Entry {
  readonly id: string;
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly type: string;
  readonly countries?: readonly string[];
  readonly programs: readonly string[];
  readonly listedAt?: number;
  readonly publishedAt?: number;
  readonly isNew?: boolean;
}

const listNames = { sdn: "OFAC SDN", consolidated: "OFAC Consolidated", sema: "SEMA", un: "UN" } as const;
const keys = ["sdn", "consolidated", "sema", "un"] as const;

function entriesOf(stored: Stored): readonly Entry[] {
  return keys.flatMap((key) => rowsOf<Entry>(stored, key));
}

const isNew = (entry: Entry): boolean => entry.isNew === true;
const isVessel = ({ type }: Entry): boolean => type === "vessel";
const isAircraft = ({ type }: Entry): boolean => type === "aircraft";

function countOf(entries: readonly Entry[], isCounted: (entry: Entry) => boolean): number {
  let count = 0;
  for (const entry of entries) if (isCounted(entry)) count += 1;
  return count;
}

/** The twelve groups with the most entries. An entry may be in several groups, or several times in the same group. */
function largestGroups(entries: readonly Entry[], groupsOf: (entry: Entry) => readonly string[]) {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    for (const name of groupsOf(entry)) {
      const group = groups.get(name);
      if (group) group.push(entry);
      else groups.set(name, [entry]);
    }
  }
  return [...groups].sort(([a, own], [b, other]) => other.length - own.length || a.localeCompare(b)).slice(0, 12);
}

function newestDate(entries: readonly Entry[]): number | undefined {
  const dates = entries.flatMap(({ publishedAt, listedAt }) => publishedAt ?? listedAt ?? []);
  return dates.length === 0 ? undefined : dates.reduce((newest, at) => Math.max(newest, at));
}

function shownEntries(stored: Stored): readonly Expected[] {
  return keys
    .flatMap((key) => rowsOf<Entry>(stored, key).map((entry) => ({ entry, list: listNames[key] })))
    .sort(({ entry: a }, { entry: b }) => {
      const newFirst = Number(isNew(b)) - Number(isNew(a));
      return newFirst || (b.listedAt ?? 0) - (a.listedAt ?? 0) || (a.id < b.id ? -1 : 1);
    })
    .slice(0, 60)
    .map(({ entry, list }) => ({
      ...copied({ id: entry.id, name: entry.name, countryCodes: entry.countries ?? [], programs: entry.programs }),
      sourceLists: [list],
      effectiveAt: new Copied(entry.listedAt),
      isNew: isNew(entry),
    }));
}

/** Returns the number of entries of a list; undefined for an empty list. */
function listCount(stored: Stored, key: (typeof keys)[number]): number | undefined {
  return rowsOf<Entry>(stored, key).length || undefined;
}

export const sanctionsPressure: AnswerCheck = {
  operation: "sanctions/list-sanctions-pressure",
  what: "numbers of entries by list, country and programme, and of new entries, vessels and aircraft",
  queries: () => ["max_items=60"],
  recompute({ from }) {
    const stored = from("sanctions-lists");
    const entries = entriesOf(stored);
    return {
      entries: shownEntries(stored),
      countries: largestGroups(entries, ({ countries = [] }) => countries).map(([countryCode, own]) => ({
        countryCode,
        entryCount: own.length,
        newEntryCount: countOf(own, isNew),
        vesselCount: countOf(own, isVessel),
        aircraftCount: countOf(own, isAircraft),
      })),
      programs: largestGroups(entries, ({ programs }) => programs).map(([program, own]) => ({
        program,
        entryCount: own.length,
        newEntryCount: countOf(own, isNew),
      })),
      fetchedAt: new Copied(stored.builtAt),
      datasetDate: newestDate(entries),
      totalCount: entries.length,
      sdnCount: listCount(stored, "sdn"),
      consolidatedCount: listCount(stored, "consolidated"),
      semaCount: listCount(stored, "sema"),
      unCount: listCount(stored, "un"),
      newEntryCount: countOf(entries, isNew),
      vesselCount: countOf(entries, isVessel),
      aircraftCount: countOf(entries, isAircraft),
    };
  },
};

/** Returns the normalised names of an entry. For a person listed as `HANIYA, Ismail`, adds `Ismail Haniya`. */
function spellingsOf({ name, aliases = [], type }: Entry): readonly string[] {
  return [name, ...aliases].flatMap((written) => {
    const [surname = "", ...forenames] = written.split(", ");
    const forename = forenames.join(", ");
    const isReversed = type === "individual" && surname !== "" && forenames.length > 0 && !forename.includes(",");
    return [written, ...(isReversed ? [`${forename} ${surname}`] : [])].map(normalName);
  });
}

/** The entries with the spellings of their names. */
const spelledIn = oncePerGeneration((stored) =>
  entriesOf(stored).map((entry) => ({ entry, spellings: spellingsOf(entry) })),
);

/**
 * Scores a spelling against a searched name: 0 if it contains no word of that name, 100 if both are equal, 80 if the
 * spelling begins with the name, 40 to 60 if it contains all words, and otherwise 10 for each contained word, at most
 * 40. A searched word of at least three letters also counts as contained if a longer word of the spelling begins with
 * it.
 */
function scoreOf(spelling: string, name: string): number {
  const words = [...new Set(name.split(" "))];
  const own = spelling.split(" ");
  const matches = words.filter((word) =>
    own.some((candidate) => candidate === word || (word.length >= 3 && candidate.startsWith(word))),
  );
  if (matches.length === 0) return 0;
  if (spelling === name) return 100;
  if (spelling.startsWith(name)) return 80;
  if (matches.length < words.length) return Math.min(40, 10 * matches.length);
  return 60 - Math.min(20, ...words.map((word) => spelling.indexOf(word)));
}

/**
 * Builds two searches from the name of the first entry of each list. One has the first twelve words of the name,
 * because the operation reads no more, and the other has the last word.
 */
function searchesFor(stored: Stored): readonly string[] {
  const chosen = keys.flatMap((key) => rowsOf<Entry>(stored, key).slice(0, 1));
  return chosen
    .map(({ name }) => normalName(name).split(" "))
    .flatMap((words) => [words.slice(0, 12).join(" "), words.slice(-1).join(" ")])
    .filter((text) => text.length >= 2 && text.length <= 200)
    .map((text) => `q=${encodeURIComponent(text)}&max_results=50`);
}

export const sanctionsLookup: AnswerCheck = {
  operation: "sanctions/lookup-sanction-entity",
  what: "number and scores of the matches of a name",
  queries: (stored) => [...new Set(searchesFor(stored))],
  recompute({ query, from }) {
    const stored = from("sanctions-lists");
    const name = query.get("q") ?? "";
    const matches = spelledIn(stored)
      .map(({ entry, spellings }) => ({ entry, score: Math.max(...spellings.map((text) => scoreOf(text, name))) }))
      .filter(({ score }) => score > 0)
      .sort(
        (a, b) =>
          b.score - a.score || a.entry.name.length - b.entry.name.length || a.entry.id.localeCompare(b.entry.id),
      );
    return {
      dataAvailable: true,
      results: matches.slice(0, 50).map(({ entry, score }) => ({ id: entry.id, score })),
      total: matches.length,
      lists: keys.map((key) => {
        const entries = rowsOf<Entry>(stored, key);
        const date = newestDate(entries);
        return {
          name: listNames[key],
          searched: entries.length > 0,
          entryCount: listCount(stored, key),
          publishedAt: date,
        };
      }),
    };
  },
};
