import { ownFile } from "../../../kit/own-file.js";
import { type PhraseTable, phraseTable } from "../../../kit/phrases.js";
import { readWordLists } from "../../../kit/word-lists.js";
import { followingForms, shareClasses } from "../identity/legal-forms.js";

const lists = readWordLists(ownFile("data/company-words.txt"));

function list(name: string): readonly string[] {
  const words = lists[name];
  if (words === undefined) throw new Error(`company-words.txt: no list ${name}`);
  return words;
}

const wordSet = (...names: readonly string[]): ReadonlySet<string> => new Set(names.flatMap(list));

/**
 * Common words that are also names of companies. A capital letter inside a sentence suggests that the company is meant.
 */
export const ordinaryWords = wordSet("ordinary word", "nature word", "thing word", "other word");
/** Company names shared with people and places. */
export const sharedNames = wordSet("shared name");
/** Names of people and gods that are also company names. */
export const familyNames = wordSet("famous name", "family name", "first name", "more first name");
/** Single-word company names without another meaning. */
export const distinctiveNames = wordSet("distinctive name");
/** Verbs that are as common after a person as after a company. */
export const personVerbs = wordSet("person verb");
/** Verbs that are as common after a thing as after a company. */
export const thingVerbs = wordSet("thing verb");
export const groupEndings = wordSet("group ending");
export const firstNames = wordSet("first name", "more first name");
export const personalTitles = wordSet("personal title");
export const vesselKinds = wordSet("vessel kind");
/** Nouns that are followed by "of" and the name of a place or person. */
export const namedOf = wordSet("named of");
/** Words that show that the next name is a place: "downtown Albemarle". */
export const beforePlace = wordSet("before a place");
/** Words that follow a name and make it a model for something else: "an Etsy clone". */
export const imitations = wordSet("imitation");
export const nounBeforeOf = wordSet("noun before of");
export const disasterKinds = wordSet("disaster kind");
export const units = wordSet("unit");
export const kinship = wordSet("kinship");
/**
 * Nouns after a word such as "sister" that show that it refers to a company, not to a relative: "Ford's sister brand".
 */
export const kinshipCompanies = wordSet("kinship company");
export const memorials = wordSet("memorial");
/** Verbs used only of people, such as "die". */
export const personEvents = wordSet("person event");
/** Conjunctions between alternatives, in several languages. */
export const enumerations = wordSet("enumeration");
export const nameParticles = wordSet("name particle");
export const stockIndexes = wordSet("stock index");
export const indexVerbs = wordSet("index verb");
export const indexPrepositions = wordSet("index preposition");
export const otherOrganisations = wordSet("other organisation");
export const venues = wordSet("venue");
/** Nouns that turn the preceding name into the name of a venue or a contest: "Bosch Stadium". */
export const sportsGrounds = wordSet("sports ground");
/** Words for a company's trade that are part of its name, such as Foods. */
export const businessNouns = wordSet("business noun");
/** Days, months, holidays, and acronyms that usually mean something other than a company, such as GDP. */
export const timeWords = wordSet("time word", "acronym");
export const placeWords = list("place");
/** Prepositions before the name of the place where something happens: "in", "near". */
export const placePrepositions = wordSet("place preposition");
/** Nouns that turn the preceding name into a place name, even in lower case. */
export const placeNouns = wordSet("place noun");
/** Nouns that can follow a company's name in a phrase: "in Tesla plants". */
export const companyNouns = wordSet("company noun");
/** Words that are followed by "in" and a company: "stake in Ford". */
export const inBefore = wordSet("held in");
export const articles = wordSet("article");
export const sourceVerbs = wordSet("as a source");
export const publishers = wordSet("publisher");
export const functionWords = wordSet("function word");
export const platforms = wordSet("platform");
export const states = wordSet("state");
/** English words spelled with accents. */
export const accentedWords = wordSet("accented word");
export const otherLanguages = wordSet("other language");
/** Words that follow a name and a hyphen: "Uber-style". */
export const comparedWith = wordSet("compared with");
/** Words for people who have left the company named before them: "Ford veteran". */
export const formerRoles = wordSet("former role");
/** Words that make the following name a model for something else: "wants to be Chewy for cattle". */
export const likenings = wordSet("likening");
/** Verbs for leaving an employer, and words for the people who leave: "She quit Tesco". */
export const leavings = wordSet("leaving");
export const persons = wordSet("person");
/** Words that introduce the given name of a person, an animal or a thing: "a bear cub named Indigo". */
export const namings = wordSet("naming");
/** Kinds of organisation, as written before an organisation's acronym: "union TUI". */
export const bodyKinds = wordSet("kind of body");
/** First words of two-word place names: "Rio Claro". */
export const placeBeginnings = wordSet("place beginning");
/** Last words of two-word place names: "Hazel Grove". */
export const placeEndings = wordSet("place ending");
export const comparisons: PhraseTable<true> = phrases("comparison before");

/** Endings of legal names, as phrases of folded words. */
export const legalForms: PhraseTable<true> = tableOf([...followingForms, ...shareClasses]);
export const otherMeanings: PhraseTable<true> = phrases("not a company");
/**
 * Words that follow a company's name, with their weights as signs of a company: 1½ if they never follow a person or
 * place, ½ if they also follow ordinary nouns, otherwise 1.
 */
export const afterCompany: PhraseTable<number> = weighed("surely after", "after a company", "weak after");
/** Words that precede a company's name, with weights by the same rule. */
export const beforeCompany: PhraseTable<number> = weighed("surely before", "before a company", "weak before");
/** Words from fields other than business, such as sport. */
export const otherFields: PhraseTable<true> = phrases("other field");
export const businessWords: PhraseTable<true> = phrases("business");
/** Words about business in languages other than English. */
export const foreignBusiness = wordSet("foreign business");
/** Parts of Korean words about business. */
export const koreanBusiness = list("korean business");
/** Sites, products and people of a company. */
export const assets: PhraseTable<true> = phrases("asset");

function phrases(name: string): PhraseTable<true> {
  return tableOf(list(name).map((phrase) => phrase.split(" ")));
}

function tableOf(phrasesOfWords: readonly (readonly string[])[]): PhraseTable<true> {
  const table = phraseTable<true>();
  for (const words of phrasesOfWords) table.set(words, true);
  return table;
}

function weighed(sure: string, strong: string, weak: string): PhraseTable<number> {
  const table = phraseTable<number>();
  for (const phrase of list(weak)) table.set(phrase.split(" "), 0.5);
  for (const phrase of list(strong)) table.set(phrase.split(" "), 1);
  for (const phrase of list(sure)) table.set(phrase.split(" "), 1.5);
  return table;
}
