import { countriesIn } from "../../../../geography/country-mentions.js";
import { countryWords } from "../../../../geography/country-words.js";

/** A place whose region a title may state: "Birmingham, Alabama", "Tripoli (Lebanon)". */
interface RegionedPlace {
  readonly name: string;
  readonly countryCode: string;
}

/** The state of each city that lies in a country with states, as written after the city. */
const homeStates: Readonly<Record<string, string>> = {
  Anchorage: "Alaska|AK",
  Atlanta: "Georgia|GA|Ga.",
  Boston: "Massachusetts|MA|Mass.",
  Chicago: "Illinois|IL|Ill.",
  Dallas: "Texas|TX|Tex.",
  Denver: "Colorado|CO|Colo.",
  Fresno: "California|CA|Calif.",
  Houston: "Texas|TX|Tex.",
  "Los Angeles": "California|CA|Calif.",
  Miami: "Florida|FL|Fla.",
  "New York": "New York|NY|N.Y.",
  Philadelphia: "Pennsylvania|PA|Pa.",
  Phoenix: "Arizona|AZ|Ariz.",
  "Salt Lake City": "Utah|UT",
  "San Francisco": "California|CA|Calif.",
  Seattle: "Washington|WA|Wash.",
  Washington: "DC|D.C.",
  Calgary: "Alberta|AB|Alta.",
  Montreal: "Quebec|Québec|QC|Que.",
  Ottawa: "Ontario|ON|Ont.",
  Toronto: "Ontario|ON|Ont.",
  Vancouver: "British Columbia|BC|B.C.",
  Brisbane: "Queensland",
  Melbourne: "Victoria",
  Perth: "Western Australia|WA",
  Sydney: "New South Wales|NSW",
};

const abbreviations: ReadonlySet<string> = new Set(
  [
    "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR",
    "PA RI SC SD TN TX UT VT VA WA WV WI WY DC AB BC MB NB NL NS ON PE QC SK NSW QLD TAS VIC",
    "Ala. Ariz. Ark. Calif. Colo. Conn. Del. Fla. Ga. Ill. Ind. Kan. Ky. La. Md. Mass. Mich. Minn. Miss. Mo. Mont.",
    "Neb. Nev. N.H. N.J. N.M. N.Y. N.C. N.D. Okla. Ore. Pa. R.I. S.C. S.D. Tenn. Tex. Vt. Va. Wash. W.Va. Wis. Wyo.",
    "D.C. Alta. B.C. Man. N.B. N.S. Ont. Que. Sask.",
  ]
    .join(" ")
    .split(" "),
);
const states: ReadonlySet<string> = new Set([
  ...countryWords.flatMap((words) => words.states),
  "Victoria",
  ...abbreviations,
]);
const STATE_WORDS = 3;

/** Matches the capitalised words after a comma or an opening bracket. */
const REGION = /^(?:,\s|\s\()(?:the\s)?(\p{Lu}[\p{L}.'’-]*(?:\s\p{Lu}[\p{L}.'’-]*){0,2})/u;

/** Matches verbs after a country that is not a region: "20 killed in Gaza, Israel says". */
const SPEAKS =
  /^\s(?:says?|said|claims?|denies|vows|warns|confirms|reports|blames|accuses|dit|sagt|dice|diz)(?![\p{L}])/u;

/**
 * Tests whether a title states that the place is in another state or country than the known place of this name. `after`
 * is the text after the name. A further place after a comma also counts, because the title then names two places.
 */
export function isElsewhere(place: RegionedPlace, after: string, language: string): boolean {
  const match = REGION.exec(after);
  if (match === null || SPEAKS.test(after.slice(match[0].length))) return false;
  const [, region = ""] = match;
  const state = stateAtStart(region);
  if (state !== undefined && Object.hasOwn(homeStates, place.name))
    return !homeStates[place.name]?.split("|").includes(state);
  if (state !== undefined && abbreviations.has(state)) return true;
  // The name is read too, because it decides which Georgia is meant.
  return countriesIn(`${place.name}, ${region}`, language).some((code) => code !== place.countryCode);
}

/** Returns the longest name or abbreviation of a state at the start of a text. */
function stateAtStart(text: string): string | undefined {
  const words = text.split(" ");
  for (let count = Math.min(STATE_WORDS, words.length); count > 0; count -= 1) {
    const name = words
      .slice(0, count)
      .join(" ")
      .replace(/['’]s$/u, "");
    if (states.has(name)) return name;
    const bare = name.replace(/\.$/u, "");
    if (states.has(bare)) return bare;
  }
  return undefined;
}
