import { fnv1a, mixed } from "./hash.js";

/** An invented company in the SEC register. */
export interface Registrant {
  readonly cik: number;
  readonly name: string;
  readonly ticker: string;
}

/** Number of companies, close to the real number of companies with a listed ticker. */
export const REGISTRANTS = 6_000;

const SYLLABLES = ["ba", "cor", "del", "fo", "gri", "la", "mer", "no", "pri", "rul", "sta", "tek", "vi", "xan", "zur"];
const ENDINGS = ["INC", "Corp.", "HOLDINGS, INC.", "Group Ltd", "& Sons Co", "Compañía S.A.", "(Simulated) Trust"];
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const FIRST_CIK = 1_900_001;
const CIK_STEP = 7;

/** Returns the company at a position in the register; the first one is the largest. */
export function registrantAt(index: number): Registrant {
  const hash = mixed(fnv1a("registrant"), index);
  const part = (shift: number): string => SYLLABLES[(hash >>> shift) % SYLLABLES.length] ?? "";
  const word = `${part(0)}${part(4)}${part(8)}`;
  const ending = ENDINGS[(hash >>> 12) % ENDINGS.length];
  return {
    cik: FIRST_CIK + index * CIK_STEP,
    name: `Simulated ${word.charAt(0).toUpperCase()}${word.slice(1)} ${index} ${ending}`,
    ticker: tickerAt(index),
  };
}

/**
 * Returns a ticker of four letters, such as `VAAB`. Every fiftieth ticker is for a class of shares, such as `VABX-B`.
 */
function tickerAt(index: number): string {
  const letter = (place: number): string => LETTERS.charAt(Math.floor(index / 26 ** place) % 26);
  const ticker = `V${letter(2)}${letter(1)}${letter(0)}`;
  return index % 50 === 49 ? `${ticker}-B` : ticker;
}
/** Returns the company with this Central Index Key; undefined if no company has it. */
export function registrantOf(cik: number): Registrant | undefined {
  const index = (cik - FIRST_CIK) / CIK_STEP;
  return Number.isInteger(index) && index >= 0 && index < REGISTRANTS ? registrantAt(index) : undefined;
}
