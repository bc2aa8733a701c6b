import type { BriefEvidence } from "../../records.js";
import { restsRightly, type Section, sectionNames, sections } from "../sections.js";
import { type AllowedNames, allowedNamesOf, namesIn, wordLine } from "./names.js";
import { type Amounts, amountsOf, type DateMention, evened, type NumberMention, stemOf } from "./numbers.js";
import { downWords, kindsOfPeople, unsaying, upWords } from "./words.js";

/** One statement of a brief and the evidence that it names for itself. */
export interface Claim {
  readonly section: Section;
  readonly text: string;
  /** Ids of evidence. */
  readonly cites: readonly string[];
}

export interface Grounded {
  /** In the order of the sections, as many as each holds. */
  readonly claims: readonly Claim[];
  /** Claims that their evidence does not bear out. */
  readonly withheld: number;
}

export interface GroundingGiven {
  readonly code: string;
  readonly evidence: readonly BriefEvidence[];
  /** The news is what the text is about: situation and implications must cite it. */
  readonly headlinesLead: boolean;
}

export const CLAIM_CHARACTERS_MAX = 500;

/** The claims of which every word that could be wrong stands in the evidence that they cite. */
export function grounded(claims: readonly Claim[], given: GroundingGiven): Grounded {
  const allowed = allowedNamesOf(given.code);
  const cited = new Set(claims.flatMap(({ cites }) => cites));
  const items = new Map(
    given.evidence.filter(({ id }) => cited.has(id)).map((item) => [item.id, readItem(item, allowed)]),
  );
  const borneOut = claims.filter((claim) => {
    const own = claim.cites.map((id) => items.get(id));
    if (!own.every((item) => item !== undefined)) return false;
    return faultOf(claim, own, allowed, given.headlinesLead) === undefined;
  });
  const withheld = claims.length - borneOut.length;
  const once = unique(borneOut);
  return {
    claims: sectionNames.flatMap((name) =>
      once.filter(({ section }) => section === name).slice(0, sections[name].claimsMax),
    ),
    withheld,
  };
}

/** Each text once, whatever its case, accents and punctuation. */
function unique(claims: readonly Claim[]): readonly Claim[] {
  const seen = new Set<string>();
  return claims.filter(({ text }) => {
    const key = wordLine(evened(text));
    return !seen.has(key) && seen.add(key);
  });
}

/** One item of evidence as claims are compared with it. */
interface ReadItem {
  readonly evidence: BriefEvidence;
  readonly amounts: Amounts;
  readonly line: string;
  readonly rates: readonly string[];
  readonly stems: ReadonlySet<string>;
  readonly course: Course;
  /** The text in pieces, each with its names and numbers, to see which belong together. */
  readonly pieces: readonly Piece[];
}

function readItem(evidence: BriefEvidence, allowed: AllowedNames): ReadItem {
  const { kind, label, value, factText, asOf } = evidence;
  // What a headline's label and value say is in its text; said again they would put numbers and names beside each other.
  const text = evened(kind === "headline" ? factText : `${factText} ${label}. ${value}.`);
  const amounts = amountsOf(text);
  const { dates } = amountsOf(asOf.slice(0, 10));
  return {
    evidence,
    ...{ pieces: piecesOf(text, allowed), rates: ratesIn(text) },
    amounts: { ...amounts, dates: [...amounts.dates, ...dates] },
    line: wordLine(text),
    stems: stemsOf(`${text} ${kind}`, allowed),
    course: courseOf(text),
  };
}

/** Why a claim is not borne out by what it cites, or undefined. */
function faultOf(
  { section, text, cites }: Claim,
  cited: readonly ReadItem[],
  allowed: AllowedNames,
  headlinesLead: boolean,
): string | undefined {
  if (cites.length === 0) return "cites nothing";
  const shape = shapeFault(text);
  if (shape !== undefined) return shape;
  const items = cited.map(({ evidence }) => evidence);
  if (!restsRightly(section, items, headlinesLead)) return "rests on the wrong kind of evidence";
  const plain = evened(text);
  const stems = stemsOf(plain, allowed);
  if (!cited.every((item) => [...stems].some((stem) => item.stems.has(stem)))) return "cites what it is not about";
  const clauses = clausesOf(plain).map((clause) => readClause(clause, allowed));
  return clauses.every((clause) => cited.some((item) => bears(item, clause))) ? undefined : "is not borne out";
}

const CONTROL = /[\p{C}\p{Zl}\p{Zp}]/u;
const ADDRESS = /\bhttps?:|\bwww\.|[\p{L}\p{N}]\.(?:com|org|net|io|gov|edu|info|co|uk|ru|cn|de|fr|ua|test|example)\b/iu;
const MARKUP = /[<>`*_#|\\[\]{}]|\]\(/;

function shapeFault(text: string): string | undefined {
  if (text.trim() === "") return "is empty";
  if (Array.from(text).length > CLAIM_CHARACTERS_MAX) return "is too long";
  if (CONTROL.test(text)) return "has control characters or several lines";
  if (ADDRESS.test(text)) return "has an address";
  return MARKUP.test(text) ? "has markup" : undefined;
}

/** Parts of a claim that can each rest on evidence of its own. */
function clausesOf(text: string): readonly string[] {
  return text
    .split(/ (?<=[.!?]["')]* )(?=["'(]?[\p{Lu}\p{N}])|; |, (?=(?:and|while|whereas|but|as)\b)| (?=(?:while|whereas) )/u)
    .filter((clause) => /[\p{L}\p{N}]/u.test(clause));
}

/** A clause as it is compared with evidence. */
interface Clause {
  readonly amounts: Amounts;
  readonly names: readonly string[];
  /** Per day, per head: a number of a time is none of another. */
  readonly rates: readonly string[];
  /** What there was none of. */
  readonly zeroes: readonly string[];
  readonly course: Course;
  readonly pieces: readonly Piece[];
}

function readClause(text: string, allowed: AllowedNames): Clause {
  const amounts = amountsOf(text);
  return {
    ...{ amounts, names: namesIn(amounts.rest, allowed), zeroes: zeroesIn(text), course: courseOf(text) },
    rates: ratesIn(text),
    pieces: piecesOf(text, allowed),
  };
}

/** Whether one item of evidence says everything of a clause that could be wrong. */
function bears(item: ReadItem, { amounts, names, rates, zeroes, course, pieces }: Clause): boolean {
  const { numbers, dates, times } = item.amounts;
  return (
    amounts.numbers.every((number) => numbers.some((known) => isSame(number, known))) &&
    amounts.numbers.every(({ qualifiers }) =>
      qualifiers.every((stem) => item.stems.has(stem) || item.line.includes(` ${stem} `)),
    ) &&
    amounts.dates.every((date) => dates.some((known) => isWithin(date, known))) &&
    amounts.times.every((time) => times.includes(time)) &&
    names.every((name) => item.line.includes(` ${name} `)) &&
    rates.every((rate) => item.rates.includes(rate)) &&
    zeroes.every((unit) => numbers.some((known) => known.value === 0 && known.unit === unit)) &&
    !contradicts(course, item.course) &&
    pieces.every((piece) => belongsTogether(piece, item.pieces))
  );
}

const RATE =
  /\b(?:an?|per|each|every) (minute|hour|day|week|month|year|capita|head)\b|\b(hourly|daily|weekly|monthly|yearly|annually)\b/gi;
const adverbs: Readonly<Record<string, string>> = {
  ...{ hourly: "hour", daily: "day", weekly: "week", monthly: "month", yearly: "year", annually: "year" },
};

/** By what a text divides. "A year earlier" is a time, and divides nothing. */
function ratesIn(text: string): readonly string[] {
  const plain = text.replace(/\b(?:an?|each|every) \w{1,40} (?:ago|before|earlier|later)\b/gi, "");
  return [...plain.matchAll(RATE)].map((match) => {
    const word = (match[1] ?? match[2] ?? "").toLowerCase();
    return adverbs[word] ?? word;
  });
}

function isSame(stated: NumberMention, known: NumberMention): boolean {
  if (stated.value !== known.value) return false;
  if (stated.unit === known.unit) return true;
  if (stated.unit === undefined) return known.unit !== "percent" && known.unit !== "money";
  return stated.unit === "people" && known.unit !== undefined && kindsOfPeople.has(known.unit);
}

function isWithin(stated: DateMention, known: DateMention): boolean {
  return (
    (stated.year === undefined || stated.year === known.year) &&
    (stated.month === undefined || stated.month === known.month) &&
    (stated.day === undefined || stated.day === known.day)
  );
}

const NONE_OF = /\b(?:no|without|zero) (?:[\p{Ll}]+ ){0,2}?([\p{Ll}]+)/gu;

/** What a clause says there was none of. */
function zeroesIn(clause: string): readonly string[] {
  return [...clause.toLowerCase().matchAll(NONE_OF)].flatMap((match) => {
    const { numbers } = amountsOf(`0 ${match[0].replace(/^\S+ /, "")}`);
    const unit = numbers[0]?.unit;
    return unit === undefined || unit.startsWith("?") ? [] : [unit];
  });
}

interface Course {
  readonly isUp: boolean;
  readonly isDown: boolean;
}

function courseOf(text: string): Course {
  const words = wordLine(text).trim().split(" ");
  return { isUp: words.some((word) => upWords.has(word)), isDown: words.some((word) => downWords.has(word)) };
}

/** It says up of what went down, or the other way round. */
function contradicts(stated: Course, known: Course): boolean {
  return (stated.isUp && !known.isUp && known.isDown) || (stated.isDown && !known.isDown && known.isUp);
}

/** A part of a text within which what is named belongs to what is counted. */
interface Piece {
  readonly numbers: readonly NumberMention[];
  readonly names: readonly string[];
  readonly course: Course;
}

function piecesOf(text: string, allowed: AllowedNames): readonly Piece[] {
  return text
    .split(/(?<![,;:.!?])[,;:.!?]+["')]* | - | (?:and|as|after|amid|before|but|following|when|while) /)
    .map((piece) => {
      const { numbers, rest } = amountsOf(piece);
      return { numbers, names: namesIn(rest, allowed), course: courseOf(piece) };
    });
}

/**
 * "12 killed in Kharkiv, 3 in Odesa" does not bear out "3 killed in Kharkiv": where a piece of the evidence has the number
 * with names, and the claim has it with names in one piece, they share one. Nor does "3 °C warmer and 2 mm drier" bear out
 * "3 °C colder".
 */
function belongsTogether({ numbers, names, course }: Piece, known: readonly Piece[]): boolean {
  return numbers.every(({ value }) => {
    const holders = known.filter((piece) => piece.numbers.some((number) => number.value === value));
    if (holders.length === 0) return true;
    if (holders.every((piece) => contradicts(course, piece.course))) return false;
    if (names.length === 0 || holders.some((piece) => piece.names.length === 0)) return true;
    return holders.some((piece) => names.some((name) => ` ${piece.names.join(" ")} `.includes(` ${name} `)));
  });
}

const STEM_LENGTH_MIN = 4;

/** What a text is about: the beginnings of its words that say something, the country's own names apart. */
function stemsOf(text: string, allowed: AllowedNames): ReadonlySet<string> {
  const own = new Set(allowed.flatMap((name) => name.split(" ")));
  const words = wordLine(amountsOf(text).rest).trim().split(" ");
  const saying = words.filter((word) => word.length >= STEM_LENGTH_MIN && !unsaying.has(word) && !own.has(word));
  return new Set(saying.map(stemOf));
}
