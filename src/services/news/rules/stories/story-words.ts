/**
 * Synonyms of news language. Every word of a line is replaced by the line's first word. Words are lower case without
 * diacritics. The only names are those of major powers and their capitals.
 */
const sameWords = `
quake earthquake quakes earthquakes tremor jolt
kill kills killed killing dead dies die died death deaths fatal fatalities deadly
hurt injured injures injuring wounded wounds
billion bln bn
million mln mn
percent pct
keep keeps kept hold holds held leave leaves left unchanged steady
rate rates
cut cuts slash slashes slashed trim trims
raise raises raised hike hikes hiked lift lifts lifted
fall falls fell drop drops dropped slip slips slipped slide slides slid dip dips ease eases lower down
rise rises rose climb climbs climbed gain gains gained jump jumps jumped surge surges soar soars higher up
buy buys acquire acquires acquisition takeover swallows bought
abduct abducts abducted abduction kidnap kidnaps kidnapped kidnapping
student students pupil pupils schoolchildren
resign resigns resigned resignation quit quits
approve approves approved approval nod backs
strike strikes struck hit hits
flood floods flooding
fire fires wildfire wildfires blaze blazes
storm cyclone typhoon hurricane
vote votes election elections poll polls
talks talk negotiations negotiation
stocks stock shares share
steal steals stole stolen theft robbed heist
halt halts halted halting
police officers
warn warns warned warning alert alerts
find finds found finding
us usa american america washington americans
uk britain british
eu european brussels
labor labour
fed federal
q1 first-quarter
who's whos
sink sinks sank sunk sinking
evacuate evacuates evacuated evacuation
derail derails derailed derailment
explosion explosions blast blasts explode explodes exploded
plane aircraft jet airliner
court judge tribunal
launch launches launched unveil unveils unveiled
arrest arrests arrested detain detains detained
win wins won beat beats victory
`;

/** Maps each word of a line, except for the first, to the first word of the line. */
export const foldedWords: ReadonlyMap<string, string> = new Map(
  sameWords
    .trim()
    .split("\n")
    .flatMap((line) => {
      const [first = "", ...others] = line.split(" ");
      return others.map((word) => [word, first] as const);
    }),
);

const countingWords = `
en one two three four five six seven eight nine ten eleven twelve
de eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf
fr un deux trois quatre cinq six sept huit neuf dix onze douze
es uno dos tres cuatro cinco seis siete ocho nueve diez once doce
pt um dois três quatro cinco seis sete oito nove dez onze doze
it uno due tre quattro cinque sei sette otto nove dieci undici dodici
nl een twee drie vier vijf zes zeven acht negen tien elf twaalf
sv en två tre fyra fem sex sju åtta nio tio elva tolv
pl jeden dwa trzy cztery pięć sześć siedem osiem dziewięć dziesięć jedenaście dwanaście
ru один два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать
uk один два три чотири п'ять шість сім вісім дев'ять десять одинадцять дванадцять
tr bir iki üç dört beş altı yedi sekiz dokuz on onbir oniki
hi एक दो तीन चार पांच छह सात आठ नौ दस ग्यारह बारह
ar واحد اثنان ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة عشرة
`;

/**
 * The words for the numbers from two to twelve (in Arabic, to ten), by language. "One" is not included, because it is
 * often an article.
 */
export const numberWords: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  countingWords
    .trim()
    .split("\n")
    .map((line) => {
      const [language = "", , ...words] = line.split(" ");
      return [language, new Map(words.map((word, index) => [withoutMarks(word), String(index + 2)]))];
    }),
);

/** Removes accents from Latin, Greek and Cyrillic letters. Vowel signs of other scripts stay. */
export function withoutMarks(text: string): string {
  if (!/[^\u0020-\u007e]/.test(text)) return text;
  const plain = text
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC");
  return plain.replaceAll("ı", "i").replaceAll("ł", "l");
}
