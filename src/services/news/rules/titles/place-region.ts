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

/** The folded names of countries, without adjectives and peoples. */
const countryNames: ReadonlyMap<string, string> = new Map(
  countryWords.flatMap(({ country, names }) => names.map((name) => [name.replace(/^=/, ""), country] as const)),
);

/**
 * Matches the capitalised words after a comma or an opening bracket, up to the end of the title or a punctuation mark.
 * A word in between makes it the subject of a clause: "20 killed in Gaza, Israeli army says".
 */
const REGION =
  /^(?:,\s|\s\()(?:the\s)?(\p{Lu}[\p{L}.’'-]*(?:\s(?:and\s|of\s)?\p{Lu}[\p{L}.’'-]*){0,3}?)(?=$|\.$|[,;:)?!]|\s[-–—|]\s)/u;

/** Matches text after a country that speaks or acts: "In Gaza, Israel: raids", "in Damascus, US, Britain say". */
const SPEAKER = /^(?:[;:?!]|,\s\p{Lu})/u;

/** Matches "de COUNTRY" after a name: "Santiago de Cuba", "Santiago de Chile". */
const OF_COUNTRY = /^\s(?:de|del|do|da|di)\s(\p{Lu}[\p{L}-]*(?:\s\p{Lu}[\p{L}-]*)?)/u;

/**
 * Tests whether a title states that the place is in another state or country than the known place of this name. `after`
 * is the text after the name. A further country after a comma also counts, because the title then names two places.
 */
export function isElsewhere(place: RegionedPlace, after: string, language: string): boolean {
  const match = REGION.exec(after);
  const written = match?.[1];
  if (written === undefined) return false;
  const bare = written.replace(/\.$/u, "");
  const region = states.has(written) ? written : bare;
  // Only beside a city of these states is "Washington" a state.
  const isState = states.has(region) || region === "Washington";
  if (isState && Object.hasOwn(homeStates, place.name))
    return homeStates[place.name]?.split("|").every((state) => state !== region && state !== `${region}.`) ?? true;
  if (abbreviations.has(region) || abbreviations.has(`${region}.`)) return true;
  const isCountry = isCountryName(region, language) && !SPEAKER.test(after.slice(match?.[0].length));
  if (!states.has(region) && !isCountry) return false;
  // The name is read too, because it decides which Georgia is meant.
  return countriesIn(`${place.name}, ${region}`, language).some((code) => code !== place.countryCode);
}

/** Returns the text after "de COUNTRY" if the country is the place's own: "Santiago de Chile". */
export function afterOwnCountry(place: RegionedPlace, after: string, language: string): string {
  const match = OF_COUNTRY.exec(after);
  if (match === null) return after;
  const codes = countriesIn(match[1] ?? "", language);
  return codes.length === 1 && codes[0] === place.countryCode ? after.slice(match[0].length) : after;
}

function isCountryName(text: string, language: string): boolean {
  return language === "en"
    ? countryNames.has(text) || /^(?:UK|US|USA|UAE)$/.test(text.replaceAll(".", ""))
    : countriesIn(text, language).length === 1;
}
