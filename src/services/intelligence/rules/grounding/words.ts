/**
 * The word tables of grounding, the check of a brief's claims against their evidence. Words are in lower case and
 * without accents.
 */

const set = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

/** Words that may start a sentence without being a name. */
export const commonWords = set(`
a about above access according across active activity actual additional additionally after again against agencies air airport
airports all almost alone along alongside already also although altogether among an analysts and annual anomalies anomaly any apart
are areas around arrival as aside asylum at attacks authorities available average aviation away based battles be because before
behind being below beside besides between beyond both briefly but by can casualties casualty changes civilian civilians claims
climate clashes close closures cold combined compared concern concerns conditions conflict conflicts connectivity considering consumer
continued continuing core could counted counts current currently cyclone cyclones daily data days death deaths decreased delays demand
demonstrations departure departures despite details developments disaster disasters disorder displaced displacement disruption disruptions
domestic down drier drought droughts due during each earlier early economic eight either eleven elsewhere emergency end ended equally
especially estimates even events every evidence expect exposure extreme fatalities few fewer fifteen fifty fighting figures fire fires
first five flights flood flooding floods following food for forty four fourteen from further future general given ground growing
growth had half has have having hazard hazards headline headlines health heat heatwave heatwaves heavy here high higher hosted
households how however humanitarian hundreds if impact impacts in incidents increased increases increasingly indicators inflation
information insecurity instead intense interest internal internally international internet is it its just key known large largest last
lately later latest less levels like likely limited lists local logistics long longer low lower major many markets may meanwhile
measured media military moderate monitor monitored monitoring month monthly months more moreover most much multiple national nearby
nearly neither network networks never nevertheless new newest news next nine nineteen no none normal not notable notably nothing
now number numbers observers of official officials often on once one ongoing only open operations organised organized other others otherwise
our outages over overall partial particularly people per persistent persons political population poor precipitation present pressure
prices prior probably protest protests public rain rainfall rates readings recent recently recorded records reduced refugee
refugees regarding region relief remaining report reported reporting reports residents response rising risk risks round same
scattered second security separately seven seventeen several severe severity short should signals similar since situation six sixteen
sixty so some sources stateless still storm storms strikes strong such sustained taken temperature temperatures tensions ten than that the
their them then there these they third thirteen thirty this those though thousands three through throughout thus to today together
total totals toward towards traffic travel trend trends twelve twenty twice two under unless unrest until up upstream urban
usual very violence violent volcano volcanic warm warmer warming was watch water weather week weekly weeks were wet wetter what when
where whether which while wildfire wildfires with within without world worst year yearly years yet yield yields zero
collectively comparison cumulative elevated federal following forces foreign government hence hospital instability intensity
legal maybe minor minority movement observed organisation particles passengers pollution possible potential reading
renewed residual seasonal shelter should social such treasury unhealthy unusual updates volume vulnerable wider widespread
agency aggregate aid ahead alerts amid armed asymmetric attention attribution baseline broader campaign capacity caution
check civil clear combat combination community composite confirm confirmed consequently continue cross cut decline declines declining
delay dense despite deterioration drivers easing effects either energy entry escalation even expected extended
fine follow funding given goods hard held hot human hydrological illness imports indeed indicator infrastructure
insofar involvement keep lack latter lead losses low mass material meteorological midweek mobility momentum money
must naturally needs neighbouring neutral occasional operational outbreak outlook pace particulate path pending period
persisting planned planning politically possibly power pre preliminary private protection proximity quality rail reaching real
reconstruction regional regionally relative relatively reliable remain remains rescue respiratory rights rise risen rural
safety scale school sea secondary sensitive service services shifts shocks should significant situational slight slower
source spending spill spread stability statistics steady stress structural supplies supply sustained systems
tension territory then thereby thereafter threat threats tourism trade transport tropical uncertain uncertainty unclear
underlying unresolved unverified upward verify via visibility vulnerability watchers wave waves whatever will women
would
`);

/** Common words that are part of a name if they come before it. */
export const namingWords = set(
  "new north south east west northern southern eastern western central upper lower great greater saint st san santa port fort mount lake el la le los las papua equatorial democratic federal united republic first lord general president minister prince king queen mr mrs ms dr sir colonel commander",
);

/** Compass directions. A part of a country, such as its east, is treated as a place name. */
export const compassWords = set(
  "north south east west northern southern eastern western northeast northwest southeast southwest northeastern northwestern southeastern southwestern",
);

/** Amounts without a figure, ordinal numbers and weekdays. They must be in the evidence literally. */
export const vagueAmounts = set(
  "dozens hundreds thousands millions billions trillions scores half halves halved quarter quarters doubled doubling double tripled triple quadrupled twice thrice twofold threefold fourfold fivefold tenfold third thirds fourth fifth sixth seventh eighth ninth tenth eleventh twelfth second majority monday tuesday wednesday thursday friday saturday sunday",
);

export const numberWords: ReadonlyMap<string, number> = new Map(
  Object.entries({
    zero: 0,
    nil: 0,
    one: 1,
    two: 2,
    three: 3,
    four: 4,
    five: 5,
    six: 6,
    seven: 7,
    eight: 8,
    nine: 9,
    ten: 10,
    eleven: 11,
    twelve: 12,
    thirteen: 13,
    fourteen: 14,
    fifteen: 15,
    sixteen: 16,
    seventeen: 17,
    eighteen: 18,
    nineteen: 19,
    twenty: 20,
    thirty: 30,
    forty: 40,
    fifty: 50,
    sixty: 60,
    seventy: 70,
    eighty: 80,
    ninety: 90,
  }),
);

export const multipliers: ReadonlyMap<string, number> = new Map(
  Object.entries({
    dozen: 12,
    hundred: 100,
    thousand: 1e3,
    million: 1e6,
    billion: 1e9,
    trillion: 1e12,
    lakh: 1e5,
    crore: 1e7,
  }),
);

/** Multipliers written directly after the digits. */
export const suffixes: ReadonlyMap<string, number> = new Map(
  Object.entries({ k: 1e3, m: 1e6, mn: 1e6, bn: 1e9, b: 1e9, tn: 1e12 }),
);

/** The words for each unit that is counted or measured. */
const units: Readonly<Record<string, string>> = {
  deaths: "death deaths killed dead died fatality fatalities kill kills killing killings toll lives deadly",
  injured: "injured injury injuries wounded hurt",
  events: "event events incident incidents",
  refugees: "refugee refugees",
  asylum: "asylum seeker seekers",
  idps: "displaced idp idps",
  stateless: "stateless",
  people: "people person persons individuals civilians",
  demonstrations: "demonstration demonstrations protest protests",
  disasters: "disaster disasters",
  anomalies: "anomaly anomalies",
  airports: "airport airports",
  percent: "percent percentage pct",
  days: "day days",
  weeks: "week weeks",
  months: "month months",
  years: "year years",
  hours: "hour hours",
  minutes: "minute minutes min mins",
  aqi: "aqi",
  degrees: "degree degrees celsius",
  millimetres: "mm millimetre millimetres millimeter millimeters",
  kilometres: "km kilometre kilometres kilometer kilometers",
  money: "dollar dollars euro euros pound pounds usd eur",
  headlines: "headline headlines",
};

export const unitOf: ReadonlyMap<string, string> = new Map(
  Object.entries(units).flatMap(([unit, words]) => words.split(" ").map((word) => [word, unit] as const)),
);

/** Units that "people" may mean. */
export const kindsOfPeople = set("deaths injured refugees asylum idps stateless");

/** Words that end the phrase after a number. The number's unit is looked up in that phrase. */
export const phraseEnds = set(
  "in on at from to by with for as after before since during over under were was are is be been has have had and or than per while but against across between into within until through near around along amid among because when where which that who counts lists records it they there this these those also now then still",
);

/**
 * Words that end the phrase after a number, unless a unit follows: "reported" ends the phrase in "87 reported in", but
 * not in "87 reported deaths".
 */
export const participles = set(
  "recorded reported counted registered listed found seen observed measured confirmed known",
);

/** Words between a number and its unit that do not change what is counted. */
export const weakQualifiers = set(
  "new more further additional total other separate such same similar different known reported recorded listed confirmed related conflict climate internet monitored people internally",
);

/** Words for a rise; the table below has the words for a fall. */
export const upWords = set(
  "rose rise rises risen rising increase increased increases increasing climbed climbing grew growing grown up escalated escalating surged jumped worsened worsening warmer wetter above more higher",
);
export const downWords = set(
  "fell fall falls fallen falling decrease decreased decreases decreasing declined declining decline dropped dropping down eased easing subsided shrank colder drier below fewer lower less reduced",
);

/** The words for the levels of a scale: the quality of air, the alerts of GDACS, and the severity of delays. */
export const levelScales: readonly (readonly string[])[] = [
  ["good", "moderate", "unhealthy", "hazardous"],
  ["green", "orange", "red"],
  ["minor", "moderate", "major", "severe"],
];

/** Organisations that are recognised without capitals. */
export const organisations: readonly string[] = [
  "nato",
  "unicef",
  "unhcr",
  "imf",
  "world bank",
  "red cross",
  "red crescent",
  "european union",
  "united nations",
  "hamas",
  "hezbollah",
  "taliban",
  "wagner",
  "houthi",
  "houthis",
  "al qaeda",
  "isis",
  "boko haram",
  "al shabaab",
  "kremlin",
  "pentagon",
  "white house",
  "world food programme",
  "opec",
  "acled",
  "gdelt",
  "ucdp",
  "reuters",
  "bbc",
];

/** Terms that are not treated as names, mostly terms for measures. */
export const terms: readonly string[] = ["air quality index", "consumer price index", "utc", "aqi", "cpi"];

/** Place names that are also common words. They are treated as names only with a capital. */
export const placesLikeWords = set(
  "male nice reading mobile split bath cork turkey polish man lima most of as is as us pole finn dane turk central",
);

/** Words that say nothing about the topic of a text. */
export const unsaying = set(
  "the and for with from that this these those was were are has have had not but its their there which while than then also over under about after before between during into more most other some such only been being will would could should may might can said says say new one two three all any each both",
);
