/**
 * Inflected forms whose stem the rules below do not find, and words that only look inflected. Each entry is a stem, a
 * colon and the forms of the stem. If a noun and a verb would share a stem by chance (loss, lose), the noun keeps a
 * stem of its own.
 */
const IRREGULAR = formsByStem(`
  ax: axe axes axed axing; become: became; begin: began begun; break: broke broken; bring: brought; build: built;
  buy: bought; cancel: cancelled cancelling; catch: caught; choose: chose chosen; come: came; control: controlled
  controlling; die: died dies dying; draw: drew drawn; drive: drove driven; expel: expelled; fall: fell fallen;
  fight: fought; find: found; flee: fled; fly: flew flown; forbid: forbade forbidden; freeze: froze frozen;
  get: got gets getting gotten; give: gave given; go: goes went gone; grow: grew grown; hide: hid hidden; hit: hitting;
  hold: held; keep: kept; label: labelled labelling; lay: laid; lead: led; leave: left; lend: lent; lie: lies lied;
  lose: lost; loss: losses; make: made; meet: met; model: modelled; news: news; pay: paid; quit: quitting; ride: rode;
  rise: rose risen; run: ran; say: said; see: saw seen; seek: sought; sell: sold; send: sent; shake: shook shaken;
  shut: shutting; shrink: shrank shrunk; signal: signalled; sink: sank sunk; slide: slid; speak: spoke spoken;
  spend: spent; spin: spun; stand: stood; steal: stole stolen; stick: stuck; strike: struck; sue: sued sues suing;
  sweep: swept; swing: swung; take: took taken; teach: taught; tear: tore torn; tell: told; think: thought;
  throw: threw thrown; tie: tied ties tying; travel: travelled; weigh: weighed; win: won winning; wind: wound;
  withdraw: withdrew withdrawn; write: wrote written; undergo: underwent; overthrow: overthrew;
  during: during; king: king; thing: thing; string: string; spring: spring; morning: morning; evening: evening;
  red: red; bed: bed; speed: speed; need: need; seed: seed; feed: fed; bleed: bled; proceed: proceeds; exceed: exceed;
  succeed: succeed; gas: gas; bus: buses; plus: plus; virus: viruses; is: is; as: as; was: was; has: has; us: us;
  agree: agreed agreeing; add: added adding; free: freed; use: uses used using; owe: owed owes owing; aid: aided;
  gas: gases; pass: passes passed passing; miss: misses missed missing; press: pressed;
  business: businesses; access: access; process: process; series: series; shares: shares; talks: talks; goods: goods;
  rights: rights; earnings: earnings; savings: savings; works: works; airbus: airbus; boss: boss bosses;
  opening: opening; meeting: meetings; building: buildings; offering: offerings; housing: housing
`);

/**
 * The stem of a folded English word: the same for all inflected forms of a word ("sues", "sued", "suing"), and not
 * always an English word. Words of other languages stay mostly unchanged.
 */
export function englishStem(word: string): string {
  const irregular = IRREGULAR.get(word);
  if (irregular !== undefined) return withoutE(irregular);
  if (word.length < 4 || !isLatin(word)) return word;
  if (word.endsWith("ies") || word.endsWith("ied")) return word.length > 4 ? `${word.slice(0, -3)}y` : word;
  const singular = /(?:ch|sh|x|ss|zz)es$/.test(word)
    ? word.slice(0, -2)
    : /[^sui]s$/.test(word)
      ? word.slice(0, -1)
      : word;
  const irregularBase = IRREGULAR.get(singular);
  return irregularBase === undefined ? stemOfSingular(singular) : withoutE(irregularBase);
}

function stemOfSingular(word: string): string {
  const endingLength = word.endsWith("ed") ? 2 : word.endsWith("ing") ? 3 : 0;
  const beginning = word.slice(0, word.length - endingLength);
  if (endingLength === 0 || beginning.length < 3 || !VOWEL.test(beginning)) return withoutE(word);
  if (/([bdgkmnprt])\1$/.test(beginning)) return beginning.slice(0, -1);
  return beginning.length < 5 && LACKS_E.test(beginning) ? `${beginning}e` : beginning;
}

const VOWEL = /[aeiouy]/;
/** Matches short stems that lost their final "e" before the ending: "pric", "rais", "merg", "issu", "hir". */
const LACKS_E = /(?:[csvzu]|[^n]g|^[^aeiou]*[aeiou][^aeiouwxy])$/;

/**
 * Long words lose their final "e", because "-ed" and "-ing" do not show whether there was one. Short words keep it,
 * because it distinguishes "plan" from "plane".
 */
function withoutE(word: string): string {
  return word.length > 5 && word.endsWith("e") ? word.slice(0, -1) : word;
}

function isLatin(word: string): boolean {
  const code = word.charCodeAt(0);
  return code >= 0x61 && code <= 0x7a;
}

function formsByStem(text: string): ReadonlyMap<string, string> {
  const forms = new Map<string, string>();
  for (const entry of text.split(";")) {
    const [stem = "", list = ""] = entry.split(":");
    for (const form of [stem, ...list.trim().split(/\s+/)]) forms.set(form.trim(), stem.trim());
  }
  return forms;
}
