/** Names in the titles of a batch: which words are names is learnt from the batch itself. */
export interface NameFinder {
  /** Distinct names in the order of the title, lower case, at most six. */
  namesIn(title: string, language: string): readonly string[];
}

const NAMES_MAX = 6;
/** Above this share of capitalised words a title is written In Title Case, and its capitals say nothing. */
const TITLE_CASE_RATIO = 0.7;
/** From which length on a small word would be capitalised in title case. */
const TITLE_CASE_LETTERS = 4;

/** German capitalises every noun: there only sequences and abbreviations are taken for names. */
const capitalisedNouns: ReadonlySet<string> = new Set(["de", "lb"]);
/** Capitalised in English, or at the beginning of a German title, and no names. */
const noNames = new Set(
  (
    "i monday tuesday wednesday thursday friday saturday sunday january february march april may june july august " +
    "september october november december mr mrs ms dr president prime minister king queen prince pope gen general sen " +
    "senator rep chancellor secretary live watch video opinion analysis breaking exclusive update explainer ceo am pm gmt " +
    "der die das den dem ein eine im am bei mit nach"
  ).split(" "),
);
/** Words that a name may hold between its capitals. */
const joining: ReadonlySet<string> = new Set(["of", "de", "del", "la", "al", "bin", "van", "von", "der", "du", "da"]);

interface Word {
  readonly text: string;
  readonly isCapital: boolean;
  /** First of the title or of a part of it. */
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

/** Abbreviations such as NATO, EU or G7; not in a title that SHOUTS. */
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
 * Learns from the titles of a batch: a word is a name where it stands capitalised inside a sentence, more often than
 * not. That tells the names at the beginning of a title, and in titles in title case. Linear in the batch.
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
      const found = parts
        .flatMap((part) => sequences(part, (word) => isName(word, titleCase && !nouns, nouns)))
        .filter((words) => !nouns || words.length > 1 || isAbbreviation(words[0] ?? ""))
        .map((words) => {
          const last = words.at(-1) ?? "";
          // A person is named in full once and by the last name elsewhere.
          return (words.length === 2 && isKnown(last) ? last : words.join(" ")).toLowerCase();
        });
      return [...new Set(found)].slice(0, NAMES_MAX);
    },
  };
}

/** Runs of names with the small words between them. */
function sequences(part: readonly Word[], isName: (word: Word) => boolean): string[][] {
  const found: string[][] = [];
  let run: string[] = [];
  let between: string[] = [];
  const close = (): void => {
    if (run.length > 0) found.push(run);
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
  return found;
}
