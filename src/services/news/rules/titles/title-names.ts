/** Finds names in titles. It has learned from a batch of titles which words are names. */
export interface NameFinder {
  /** Returns the distinct names in title order, in lower case, at most six. */
  namesIn(title: string, language: string): readonly string[];
}

const NAMES_MAX = 6;
/**
 * A title with a larger share of capitalised words than this is regarded as being In Title Case. Its capitals then do
 * not indicate names.
 */
const TITLE_CASE_RATIO = 0.7;
/** Shorter words are not included in the share, because they may be in lower case even in title case. */
const TITLE_CASE_LETTERS = 4;

/**
 * Languages that capitalise all nouns. In these languages, only abbreviations and sequences of several capitalised
 * words are taken as names.
 */
const capitalisedNouns: ReadonlySet<string> = new Set(["de", "lb"]);
/** Words that are capitalised in English, or at the start of a German title, without being names. */
const noNames = new Set(
  (
    "i monday tuesday wednesday thursday friday saturday sunday january february march april may june july august " +
    "september october november december mr mrs ms dr president prime minister king queen prince pope gen general sen " +
    "senator rep chancellor secretary live watch video opinion analysis breaking exclusive update explainer ceo am pm gmt " +
    "der die das den dem ein eine im am bei mit nach"
  ).split(" "),
);
/** Small words that may occur inside a name. */
const joining: ReadonlySet<string> = new Set(["of", "de", "del", "la", "al", "bin", "van", "von", "der", "du", "da"]);

interface Word {
  readonly text: string;
  readonly isCapital: boolean;
  /** True for the first word of the title, or of a part after punctuation. */
  readonly isFirst: boolean;
}

const PARTS = /[:;!?|–—"“”«»„‘]|\.(?=\s)|\s-\s/u;
const WORDS = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’&.-]*/gu;

function partsOf(title: string): readonly (readonly Word[])[] {
  return title.split(PARTS).map((part) =>
    (part.match(WORDS) ?? []).map((raw, index) => {
      const text = raw.replace(/['’]s$|(?<!['’.-])['’.-]+$/u, "");
      return { text, isCapital: /^\p{Lu}/u.test(text), isFirst: index === 0 };
    }),
  );
}

/** Tests for abbreviations such as NATO, EU or G7. Also true for every other word in capitals. */
const isAbbreviation = (text: string): boolean => /^\p{Lu}[\p{Lu}\p{N}]+$/u.test(text);

function isTitleCase(parts: readonly (readonly Word[])[]): boolean {
  let [long, capital] = [0, 0];
  for (const part of parts) {
    for (const { text, isFirst, isCapital } of part) {
      if (isFirst || text.length < TITLE_CASE_LETTERS) continue;
      long += 1;
      if (isCapital) capital += 1;
    }
  }
  return long > 0 && capital > TITLE_CASE_RATIO * long;
}

/**
 * Makes a finder that has learned names from the titles of a batch: words that are mostly capitalised inside sentences.
 * It uses them to recognise names at the start of a title and in titles in title case. The cost is linear in the size
 * of the batch.
 */
export function nameFinder(titles: readonly { readonly title: string; readonly language: string }[]): NameFinder {
  const capitals = new Map<string, number>();
  for (const { title, language } of titles) {
    if (capitalisedNouns.has(language)) continue;
    const parts = partsOf(title);
    if (isTitleCase(parts)) continue;
    for (const part of parts) {
      for (const { text, isCapital, isFirst } of part) {
        if (isFirst) continue;
        const key = text.toLowerCase();
        capitals.set(key, (capitals.get(key) ?? 0) + (isCapital ? 1 : -1));
      }
    }
  }
  const isKnown = (text: string): boolean => (capitals.get(text.toLowerCase()) ?? 0) > 0;

  const isName = (word: Word, titleCase: boolean, nouns: boolean): boolean => {
    if (!word.isCapital || word.text.length < 2 || noNames.has(word.text.toLowerCase())) return false;
    if (isAbbreviation(word.text)) return !titleCase || isKnown(word.text);
    if (nouns) return true;
    return word.isFirst || titleCase ? isKnown(word.text) : (capitals.get(word.text.toLowerCase()) ?? 1) > 0;
  };

  return {
    namesIn(title, language) {
      const parts = partsOf(title);
      const [titleCase, nouns] = [isTitleCase(parts), capitalisedNouns.has(language)];
      const names = parts
        .flatMap((part) => sequences(part, (word) => isName(word, titleCase && !nouns, nouns)))
        .filter((words) => !nouns || words.length > 1 || isAbbreviation(words[0] ?? ""))
        .map((words) => {
          const last = words.at(-1) ?? "";
          // A person is represented by the last name, because other titles may not state the full name.
          return (words.length === 2 && isKnown(last) ? last : words.join(" ")).toLowerCase();
        });
      return [...new Set(names)].slice(0, NAMES_MAX);
    },
  };
}

/** Collects sequences of adjacent names, including small words between the names. */
function sequences(part: readonly Word[], isName: (word: Word) => boolean): string[][] {
  const runs: string[][] = [];
  let run: string[] = [];
  let between: string[] = [];
  const close = (): void => {
    if (run.length > 0) runs.push(run);
    [run, between] = [[], []];
  };
  for (const word of part) {
    if (isName(word)) {
      run.push(...between, word.text);
      between = [];
    } else if (run.length > 0 && between.length < 2 && joining.has(word.text)) between.push(word.text);
    else close();
  }
  close();
  return runs;
}
