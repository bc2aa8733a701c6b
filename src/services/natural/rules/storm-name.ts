const CLASSES =
  /^(?:super typhoon|typhoon|hurricane|tropical storm|tropical depression|tropical cyclone|post-tropical cyclone|potential tropical cyclone|subtropical storm|subtropical depression|severe tropical storm|cyclone)\s+/i;

/** Words that stand where a storm has a number and no name yet. */
const NUMBERS =
  /^(?:invest|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty(?:[ -]?\w{3,5})?|\d+\w?)(?:-[a-z])?$/i;

/** The name of a storm without its class and year (`Typhoon Fung-wong`, `POLO-26`); undefined while it has a number only. */
export function stormNameIn(title: string): string | undefined {
  const name = title
    .trim()
    .replace(CLASSES, "")
    .replace(/-\d{2}$/, "")
    .trim();
  return name === "" || NUMBERS.test(name) ? undefined : name;
}

/** The form of a name that is alike at all agencies. */
export function nameAlias(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}
