import type { Word } from "../../../../kit/words.js";

/**
 * Number words in English, Spanish, French, German and Portuguese. A vague word is read as a typical number: "several"
 * as 5, "dozens" as 24, "hundreds" as 200.
 */
const namesOfNumbers: Readonly<Record<number, string>> = {
  2: "two dos deux zwei dois duas",
  3: "three tres trois drei",
  4: "four cuatro quatre vier quatro",
  5: "five cinco cinq funf fifth several varios plusieurs mehrere",
  6: "six seis sechs sixth",
  7: "seven siete sept sieben sete seventh",
  8: "eight ocho huit acht oito eighth",
  9: "nine nueve neuf neun nove",
  10: "ten diez dix zehn dez",
  11: "eleven once onze elf",
  12: "twelve dozen doce douze zwolf doze docena douzaine",
  13: "thirteen trece treize dreizehn treze",
  14: "fourteen catorce quatorze vierzehn",
  15: "fifteen quince quinze funfzehn quinzaine",
  16: "sixteen dieciseis seize sechzehn dezesseis",
  17: "seventeen diecisiete siebzehn dezessete",
  18: "eighteen dieciocho achtzehn dezoito",
  19: "nineteen diecinueve neunzehn dezenove",
  20: "twenty veinte vingt zwanzig vinte vingtaine decenas dezenas dizaines",
  24: "dozens dutzende",
  30: "thirty treinta trente dreissig trinta trentaine",
  40: "forty scores cuarenta quarante vierzig quarenta",
  50: "fifty cincuenta cinquante funfzig cinquenta cinquantaine",
  60: "sixty sesenta soixante sechzig sessenta",
  100: "hundred cien cent hundert cem centaine centena",
  200: "hundreds cientos centenares centaines hunderte centenas",
  1000: "thousand mil mille tausend",
  2000: "thousands miles milliers tausende milhares",
};

const numbers: ReadonlyMap<string, number> = new Map(
  Object.entries(namesOfNumbers).flatMap(([value, names]) =>
    names.split(" ").map((name) => [name, Number(value)] as const),
  ),
);

/** Words that rule out the number before them as a count of deaths. */
const NOT_PEOPLE = new Set(
  `km kilometres kilometers miles metres meters percent per year years yr old days day hours hour weeks week months month minutes tonnes tons million billion m bn
  hectares acres degrees homes houses jobs injured hurt wounded missing arrested evacuated rescued displaced ill sick sickened infected survivors heridos desaparecidos
  detenidos evacuados blesses disparus verletzte vermisste feridos desaparecidos anos ans jahre jahren tage stunden horas dias jours heures prozent`.split(
    /\s+/,
  ),
);

const NEAR = 9;
/** A four-digit number in this range is read as a year. */
const [YEAR_MIN, YEAR_MAX] = [1900, 2100];

/**
 * A title with at least this number of deaths is treated neither as an obituary nor as a denial, and a stage or stadium
 * in it is only the location.
 */
export const SEVERAL_DEAD = 5;

/** The position of a word or phrase for death in a title. */
interface DeathWords {
  readonly at: number;
  readonly length: number;
}

/**
 * Returns the death toll that a title states: the number nearest to a word for death, at most nine words away. If the
 * title has several words for death, the largest of their numbers is returned. The toll is 1 if the title has a word
 * for death but no such number, and 0 if it has no word for death.
 */
export function tollIn(words: readonly Word[], deaths: readonly DeathWords[]): number {
  let most = 0;
  for (const { at, length } of deaths) most = Math.max(most, 1, nearest(words, at, length));
  return most;
}

function nearest(words: readonly Word[], at: number, length: number): number {
  for (let inside = at + 1; inside < at + length; inside += 1) {
    const counted = people(words, inside);
    if (counted > 0) return counted;
  }
  for (let distance = 0; distance <= NEAR; distance += 1) {
    const before = people(words, at - distance);
    if (distance > 0 && before > 0) return before;
    const after = people(words, at + length - 1 + distance);
    if (distance > 0 && after > 0) return after;
  }
  return 0;
}

function people(words: readonly Word[], at: number): number {
  const word = words[at];
  if (word === undefined || NOT_PEOPLE.has(words[at + 1]?.folded ?? "")) return 0;
  const value = numberOf(word);
  if (value === 0 || (word.written.length === 4 && value >= YEAR_MIN && value < YEAR_MAX)) return 0;
  if (/[$€£.]$/.test(word.before) || words[at + 1]?.before.startsWith("%")) return 0;
  const [before, after] = [words[at - 1], words[at + 1]];
  if (after?.before === "." && THREE_DIGITS.test(after.folded)) return Number(`${word.folded}${after.folded}`) || value;
  if (before && isRound(word) && isSmall(before)) return numberOf(before) * value;
  return after && isRound(after) && isSmall(word) ? value * numberOf(after) : value;
}

/** Matches the digits after the dot of "1.700", a common European digit grouping. */
const THREE_DIGITS = /^\d{3}$/;

/** Tests for "hundred" and "thousand", which multiply the number before them. */
function isRound(word: Word): boolean {
  return (numbers.get(word.folded) ?? 0) >= 100;
}

function isSmall(word: Word): boolean {
  const value = numberOf(word);
  return value > 0 && value < 100;
}

function numberOf({ folded }: Word): number {
  const first = folded.charCodeAt(0);
  if (first < 0x30 || first > 0x39) return numbers.get(folded) ?? 0;
  const value = Number(COUNTED_IN_KOREAN.exec(folded)?.[1] ?? folded);
  return Number.isInteger(value) ? value : 0;
}

/** Matches a Korean number with its counter ("10명"). Folding has split the syllable into letters. */
const COUNTED_IN_KOREAN = /^(\d+)[\u1100-\u11ff]/;
