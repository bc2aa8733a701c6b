/** Patterns for words about diplomacy between states, by language. */
const diplomacyWords: Readonly<Record<string, string>> = {
  en:
    "cease-?fires?|truces?|armistice|peace (?:talks|deal|plan|process|treaty|accords?|agreement|envoys?|summit)|" +
    "diploma(?:ts?|cy|tic)|ambassadors?|envoys?|embass(?:y|ies)|foreign ministers?|foreign ministry|" +
    "(?:state|foreign) secretary|secretary of state|sanctions|nuclear (?:talks|deal)|treat(?:y|ies)|" +
    "(?:hostage|prisoner) (?:deal|swap|exchange|release)s?|security council|" +
    "(?:nato|g-?7|g-?20|eu|un|brics|asean|apec|sco|arab|african union|peace|trilateral|bilateral|emergency) summit|" +
    "bilateral talks|state visit|border talks|trade talks",
  fr:
    "cessez-le-feu|trêves?|armistice|pourparlers|négociations de paix|accord de paix|diplomat(?:es?|ie|ique)|" +
    "ambassad(?:e|eurs?|rice)|émissaires?|ministres? des affaires étrangères|sanctions",
  de:
    "waffenruhe|waffenstillstand|feuerpause|friedens(?:gespräche|abkommen|plan|verhandlungen|gipfel)|diplomat(?:en?|ie|isch\\p{L}*)|" +
    "botschafter(?:in)?|botschaft|sondergesandte[rn]?|außenminister(?:in|s)?|sanktionen|atom(?:abkommen|gespräche)",
  es:
    "alto el fuego|treguas?|conversaciones de paz|acuerdo de paz|diplom(?:átic[oa]s?|acia)|embajador(?:a|es)?|embajada|" +
    "cancilleres|ministr[oa] de exteriores|sanciones",
  pt: "cessar-fogo|tréguas?|negociações de paz|acordo de paz|diplom(?:atas?|acia|átic[oa]s?)|embaixador(?:a|es)?|embaixada|sanções",
  it: "cessate il fuoco|tregua|colloqui di pace|accordo di pace|diplomatic[io]|diplomazia|ambasciator[ei]|ambasciata|sanzioni",
  nl: "staakt-het-vuren|wapenstilstand|vredes(?:overleg|akkoord|plan|onderhandelingen)|diploma(?:ten|tie)|ambassadeurs?|sancties",
  sv: "eldupphör|vapenvila|fredssamtal|fredsavtal|diplomat(?:er|i)?|ambassadör(?:en)?|utrikesminister(?:n)?|sanktioner",
  pl: "zawieszeni\\p{L}+ broni|rozejm\\p{L}*|rozmow\\p{L}+ pokojow\\p{L}+|dyplomat\\p{L}*|ambasador\\p{L}*|sankcj\\p{L}*",
  cs: "příměř\\p{L}*|mírov\\p{L}+ (?:jednání|rozhovor\\p{L}*)|diplomat\\p{L}*|velvyslan\\p{L}*|sankc\\p{L}*",
  tr: "ateşkes\\p{L}*|barış (?:görüşmeleri|anlaşması|planı)|diploma(?:t|si)\\p{L}*|büyükelçi\\p{L}*|dışişleri bakan\\p{L}*|yaptırım\\p{L}*",
  ru: "перемири\\p{L}*|прекращени\\p{L}+ огня|мирн\\p{L}+ переговор\\p{L}*|переговор\\p{L}*|дипломат\\p{L}*|посол|посл[ауе]|посольств\\p{L}*|санкци\\p{L}*",
  uk: "перемир'?’?я|припиненн\\p{L} вогню|мирн\\p{L}+ перемовин\\p{L}*|переговор\\p{L}*|дипломат\\p{L}*|посол|посольств\\p{L}*|санкці\\p{L}*",
  ar: "وقف إطلاق النار|هدنة|الهدنة|محادثات|مفاوضات|المفاوضات|السفير|سفير|وزير الخارجية|عقوبات|العقوبات",
  fa: "آتش‌بس|آتش بس|مذاکرات|سفیر|وزیر خارجه|تحریم‌?ها|تحریم",
  hi: "युद्धविराम|संघर्ष विराम|शांति वार्ता|राजनयिक|राजदूत|विदेश मंत्री|प्रतिबंध",
  zh: "停火|休战|休戰|和谈|和談|外交|大使|外长|外長|制裁",
  ja: "停戦|休戦|和平|外交|大使|外相|制裁",
  ko: "휴전|정전 협정|평화 협상|외교|대사관|외무장관|제재",
  th: "หยุดยิง|เจรจาสันติภาพ|การทูต|เอกอัครราชทูต|คว่ำบาตร",
  vi: "ngừng bắn|đàm phán hòa bình|ngoại giao|đại sứ|trừng phạt",
};

/** Places of conflict between states, as most languages in Latin script write them. */
const flashpoints =
  "gaza|west bank|rafah|golan|litani|taiwan strait|(?:strait of )?hormuz|bab (?:el|al)-mandeb|red sea|south china sea|" +
  "scarborough shoal|spratly|senkaku|kashmir|line of control|donbas|donbass|crimea|zaporizhzhia|kaliningrad|suwałki|" +
  "transnistria|nagorno-karabakh|demilitari[sz]ed zone|essequibo|abyei|darfur|tigray";

/** Languages whose patterns do not require whole words. */
const unspaced: ReadonlySet<string> = new Set(["zh", "ja", "ko", "th", "hi"]);

const patterns = new Map(
  Object.entries(diplomacyWords).map(([language, words]) => [language, pattern(language, words)]),
);
const flashpointPattern = pattern("en", flashpoints);

function pattern(language: string, words: string): RegExp {
  return unspaced.has(language)
    ? new RegExp(words, "u")
    : new RegExp(`(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])`, "iu");
}

/** Tests whether a title in `language` mentions a flashpoint or diplomacy between states. */
export function isDiplomacyTitle(title: string, language: string): boolean {
  return flashpointPattern.test(title) || patterns.get(language)?.test(title) === true;
}
