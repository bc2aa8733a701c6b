import type { Word } from "../../../kit/words.js";
import type { NameForm } from "./name-forms.js";
import type { TitleCapitals } from "./title-capitals.js";

/** A title that is searched for companies. */
export interface ReadTitle {
  readonly words: readonly Word[];
  readonly capitals: TitleCapitals;
  /** The title has a business word, such as "shares". */
  readonly isBusiness: boolean;
  /** The title has a word from another field, such as "quarterback". */
  readonly isOtherField: boolean;
  /** The title is not English. */
  readonly isForeign: boolean;
  /** Returns the evidence, from 0 to 1, that the title's event adds to the evidence from a name's context. */
  readonly eventEvidence: () => number;
  /** Tickers with an exchange, by the number of words before them. */
  readonly tickers: ReadonlyMap<number, string>;
}

/** The position of a name in a title. */
export interface Mention {
  readonly at: number;
  readonly length: number;
  readonly form: NameForm;
  /** True if the form is a single word of a company name that has several words. */
  readonly isShortened: boolean;
  /** Folded words of the company's names. */
  readonly companyWords: ReadonlySet<string>;
}
