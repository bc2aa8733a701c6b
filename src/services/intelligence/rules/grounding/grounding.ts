import type { BriefEvidence } from "../../records.js";
import { restsRightly, type Section, sectionNames, sections } from "../sections.js";
import { type AllowedNames, allowedNamesOf, namesIn, wordLine } from "./names.js";
import { type Amounts, amountsOf, type DateMention, evened, type NumberMention, stemOf } from "./numbers.js";
import { downWords, kindsOfPeople, levelScales, numberWords, unsaying, upWords } from "./words.js";

/** A statement of a brief with the evidence that it cites. */
export interface Claim {
  readonly section: Section;
  readonly text: string;
  /** Ids of evidence. */
  readonly cites: readonly string[];
}

export interface Grounded {
  /** The kept claims in section order, within the limit of each section. */
  readonly claims: readonly Claim[];
  /** Number of claims that were dropped because of their form or because their evidence does not support them. */
  readonly withheld: number;
}

export interface GroundingContext {
  readonly code: string;
  readonly evidence: readonly BriefEvidence[];
  /** True if the text is about the news. In that case, the situation and the implications must cite headlines. */
  readonly headlinesLead: boolean;
}

export const CLAIM_CHARACTERS_MAX = 500;

/** Keeps the claims that their evidence supports. The evidence must contain every number, date and name of a claim. */
export function grounded(claims: readonly Claim[], context: GroundingContext): Grounded {
  const allowed = allowedNamesOf(context.code);
  const cited = new Set(claims.flatMap(({ cites }) => cites));
  const items = new Map(
    context.evidence.filter(({ id }) => cited.has(id)).map((item) => [item.id, readItem(item, allowed)]),
  );
  const borneOut = claims.filter((claim) => {
    const own = claim.cites.map((id) => items.get(id));
    if (!own.every((item) => item !== undefined)) return false;
    return faultOf(claim, own, allowed, context.headlinesLead) === undefined;
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

/** Removes repeated texts, ignoring case, accents and punctuation. */
function unique(claims: readonly Claim[]): readonly Claim[] {
  const seen = new Set<string>();
  return claims.filter(({ text }) => {
    const key = wordLine(evened(text));
    return !seen.has(key) && seen.add(key);
  });
}

/** An item of evidence, prepared for comparison with claims. */
interface ReadItem {
  readonly evidence: BriefEvidence;
  readonly amounts: Amounts;
  /** The words of the text as a searchable string (`wordLine`). */
  readonly line: string;
  readonly rates: readonly string[];
  /** The topic of the text (`stemsOf`). */
  readonly stems: ReadonlySet<string>;
  readonly course: Course;
  readonly bounds: readonly Bound[];
  /** The text in pieces. The numbers in a piece refer to the names in that piece. */
  readonly pieces: readonly Piece[];
}

function readItem(evidence: BriefEvidence, allowed: AllowedNames): ReadItem {
  const { kind, label, value, factText, asOf } = evidence;
  // A headline's text contains its label and value. Repeating them would join unrelated numbers and names.
  const text = evened(kind === "headline" ? factText : `${factText} ${label}. ${value}.`);
  const amounts = amountsOf(text);
  const { dates } = amountsOf(asOf.slice(0, 10));
  return {
    evidence,
    pieces: piecesOf(evened(factText), allowed),
    rates: ratesIn(text),
    amounts: { ...amounts, dates: [...amounts.dates, ...dates] },
    line: wordLine(text),
    stems: stemsOf(`${text} ${kind}`, allowed),
    course: courseOf(text),
    bounds: boundsIn(text),
  };
}

/** Returns the reason for withholding a claim; undefined for a claim to keep. */
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
  if (!cited.every((item) => [...stems].some((stem) => item.stems.has(stem)))) return "cites evidence on another topic";
  const clauses = clausesOf(plain).map((clause) => readClause(clause, allowed));
  return clauses.every((clause) => cited.some((item) => bears(item, clause))) ? undefined : "is not supported";
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

/** Splits a claim into parts that may each rest on different evidence. */
function clausesOf(text: string): readonly string[] {
  return text
    .split(/ (?<=[.!?]["')]* )(?=["'(]?[\p{Lu}\p{N}])|; |, (?=(?:and|while|whereas|but|as)\b)| (?=(?:while|whereas) )/u)
    .filter((clause) => /[\p{L}\p{N}]/u.test(clause));
}

/** A clause, prepared for comparison with evidence. */
interface Clause {
  readonly amounts: Amounts;
  readonly names: readonly string[];
  /** Units of rates, such as day or head. A number per day is not a number per month. */
  readonly rates: readonly string[];
  /** Units for which the clause states a count of zero. */
  readonly zeroes: readonly string[];
  readonly course: Course;
  readonly bounds: readonly Bound[];
  readonly line: string;
  readonly pieces: readonly Piece[];
}

function readClause(text: string, allowed: AllowedNames): Clause {
  const amounts = amountsOf(text);
  return {
    amounts,
    names: namesIn(amounts.rest, allowed),
    zeroes: zeroesIn(text),
    course: courseOf(text),
    bounds: boundsIn(text),
    line: wordLine(text),
    rates: ratesIn(text),
    pieces: piecesOf(text, allowed),
  };
}

/** Tests whether one item of evidence supports every checkable part of a clause. */
function bears(item: ReadItem, clause: Clause): boolean {
  const { amounts, names, rates, zeroes, course, bounds, pieces } = clause;
  const { numbers, dates, times } = item.amounts;
  return (
    amounts.numbers.every((number) => numbers.some((mention) => isSame(number, mention))) &&
    amounts.numbers.every(({ qualifiers }) =>
      qualifiers.every((stem) => item.stems.has(stem) || item.line.includes(` ${stem} `)),
    ) &&
    amounts.dates.every((date) => dates.some((mention) => isWithin(date, mention))) &&
    amounts.times.every((time) => times.includes(time)) &&
    names.every((name) => item.line.includes(` ${name} `)) &&
    rates.every((rate) => item.rates.includes(rate)) &&
    zeroes.every((unit) => numbers.some((mention) => mention.value === 0 && mention.unit === unit)) &&
    !contradicts(course, item.course) &&
    bounds.every((bound) => item.bounds.includes(bound)) &&
    !statesOtherLevel(clause.line, item.line) &&
    pieces.every((piece) => belongsTogether(piece, item.pieces))
  );
}

const RATE =
  /\b(?:an?|per|each|every) (minute|hour|day|week|month|year|capita|head)\b|\b(hourly|daily|weekly|monthly|yearly|annually)\b/gi;
const adverbs: Readonly<Record<string, string>> = {
  hourly: "hour",
  daily: "day",
  weekly: "week",
  monthly: "month",
  yearly: "year",
  annually: "year",
};

/** Finds the units of rates in a text. "A year earlier" is a time, not a rate. */
function ratesIn(text: string): readonly string[] {
  const plain = text.replace(/\b(?:an?|each|every) \w{1,40} (?:ago|before|earlier|later)\b/gi, "");
  return [...plain.matchAll(RATE)].map((match) => {
    const word = (match[1] ?? match[2] ?? "").toLowerCase();
    return adverbs[word] ?? word;
  });
}

function isSame(stated: NumberMention, cited: NumberMention): boolean {
  if (stated.value !== cited.value) return false;
  if (stated.unit === cited.unit) return true;
  if (stated.unit === undefined) return cited.unit !== "percent" && cited.unit !== "money";
  return stated.unit === "people" && cited.unit !== undefined && kindsOfPeople.has(cited.unit);
}

function isWithin(stated: DateMention, cited: DateMention): boolean {
  return (
    (stated.year === undefined || stated.year === cited.year) &&
    (stated.month === undefined || stated.month === cited.month) &&
    (stated.day === undefined || stated.day === cited.day)
  );
}

const NONE_OF = /\b(?:no|without|zero) (?:[\p{Ll}]+ ){0,2}?([\p{Ll}]+)/gu;

/** Finds the units for which a clause states a count of zero. */
function zeroesIn(clause: string): readonly string[] {
  return [...clause.toLowerCase().matchAll(NONE_OF)].flatMap((match) => {
    const { numbers } = amountsOf(`0 ${match[0].replace(/^\S+ /, "")}`);
    const unit = numbers[0]?.unit;
    return unit === undefined || unit.startsWith("?") ? [] : [unit];
  });
}

/** Whether a text states a rise, a fall, both or neither. */
interface Course {
  readonly isUp: boolean;
  readonly isDown: boolean;
}

function courseOf(text: string): Course {
  const words = wordLine(text).trim().split(" ");
  return { isUp: words.some((word) => upWords.has(word)), isDown: words.some((word) => downWords.has(word)) };
}

/** Tests whether a claim states a rise where the evidence states a fall, or the reverse. */
function contradicts(stated: Course, cited: Course): boolean {
  return (stated.isUp && !cited.isUp && cited.isDown) || (stated.isDown && !cited.isDown && cited.isUp);
}

/** Whether a text gives a number as a lower bound ("more than 30") or as an upper bound ("up to 30"). */
type Bound = "lower" | "upper";

const BOUND =
  /\b(?:(no |not )?(more|fewer|less) than|(over|above|at least)|under|below|at most|up to|nearly|almost) (?:the )?(?:us)?[$€£¥]?([\p{L}\p{N}]+)/gu;

/** Finds the bounds in a text. "More than a year" has none, because it states no number. */
function boundsIn(text: string): readonly Bound[] {
  return [...text.toLowerCase().matchAll(BOUND)]
    .filter(([, , , , amount = ""]) => /^\d/.test(amount) || numberWords.has(amount))
    .map(([, negation, comparative, lower]) => {
      const isLower = comparative === undefined ? lower !== undefined : comparative === "more";
      return isLower === (negation === undefined) ? "lower" : "upper";
    });
}

/** Tests whether a claim names a level, such as orange, where the evidence names another one of the same scale. */
function statesOtherLevel(claimLine: string, itemLine: string): boolean {
  const has = (line: string, level: string): boolean => line.includes(` ${level} `);
  return levelScales.some((scale) => {
    const cited = scale.filter((level) => has(itemLine, level));
    return cited.length > 0 && scale.some((level) => has(claimLine, level) && !cited.includes(level));
  });
}

/** A part of a text in which the numbers refer to the names. */
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
 * Tests whether the evidence combines names and numbers as a piece of a claim does. For each number of the piece, the
 * pieces of evidence with the same number are relevant. If the piece and all relevant pieces have names, the piece must
 * share a name with one of them: "12 killed in Kharkiv, 3 in Odesa" does not support "3 killed in Kharkiv". The
 * relevant pieces must not all state the opposite course: "3 °C warmer and 2 mm drier" does not support "3 °C colder".
 */
function belongsTogether({ numbers, names, course }: Piece, citedPieces: readonly Piece[]): boolean {
  return numbers.every(({ value }) => {
    const holders = citedPieces.filter((piece) => piece.numbers.some((number) => number.value === value));
    if (holders.length === 0) return true;
    if (holders.every((piece) => contradicts(course, piece.course))) return false;
    if (names.length === 0 || holders.some((piece) => piece.names.length === 0)) return true;
    return holders.some((piece) => names.some((name) => ` ${piece.names.join(" ")} `.includes(` ${name} `)));
  });
}

const STEM_LENGTH_MIN = 4;

/**
 * Returns the topic of a text: the stems of its significant words, without the words of the country's names and of the
 * allowed terms.
 */
function stemsOf(text: string, allowed: AllowedNames): ReadonlySet<string> {
  const own = new Set(allowed.flatMap((name) => name.split(" ")));
  const words = wordLine(amountsOf(text).rest).trim().split(" ");
  const saying = words.filter((word) => word.length >= STEM_LENGTH_MIN && !unsaying.has(word) && !own.has(word));
  return new Set(saying.map(stemOf));
}
