const CLASSES =
  /^(?:(?:super typhoon|typhoon|hurricane|tropical storm|tropical depression|tropical cyclone|post-tropical cyclone|potential tropical cyclone|subtropical storm|subtropical depression|severe tropical storm|cyclone|remnants of) +){1,2}/i;

/** Matches `Invest`, number words and numbers, which replace the name of a storm that has not been named yet. */
const NUMBERS =
  /^(?:invest(?: \w+)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|(?:twenty|thirty|forty)(?:[ -]?\w{3,5})?|\d+\w?)(?:-[a-z])?$/i;

/**
 * Extracts a storm's name, without class and year, from a title such as `Typhoon Fung-wong` or `POLO-26`. Undefined if
 * the storm has only a number.
 */
export function stormNameIn(title: string): string | undefined {
  const name = title
    .trim()
    .replace(CLASSES, "")
    .replace(/-\d{2}$/, "")
    .trim();
  return name === "" || NUMBERS.test(name) ? undefined : name;
}

/** Normalizes a name, so that the spellings of different agencies compare as equal. */
export function nameAlias(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}
