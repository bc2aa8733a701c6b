import { wordsOf } from "../../../../kit/words.js";
import { type ThreatCategory, type ThreatLevel, type WordClass, wordClasses } from "./threat-classes.js";
import { type Evidence, evidenceOf, leading } from "./threat-evidence.js";
import { levelRuleOf } from "./threat-level.js";

/** What a title is about and how bad it is, with what decided it. */
export interface ThreatClass {
  readonly level: ThreatLevel;
  readonly category: ThreatCategory;
  /** 0 to 1: how far the category is ahead of the next, and how much the title said at all. */
  readonly confidence: number;
  /** The rule that set the level, and the words that spoke for the category. */
  readonly reason: string;
}

/** No headline is longer; what comes after is not read. */
const WORDS_MAX = 80;
/** Characters at the end of a title that are looked at for a question mark. */
const ENDING_READ = 200;

/**
 * Level, category, confidence and reason of a headline, by the phrases of threat-words.ts and the
 * rules of test/labelled/README.md. The same title gives the same answer, whatever its white space and quotes are.
 */
export function classifyTitle(title: string, language = "en"): ThreatClass {
  const words = wordsOf(title, WORDS_MAX);
  const isQuestion = title.slice(-ENDING_READ).trimEnd().endsWith("?");
  const evidence = evidenceOf(words, isQuestion, language.trim().slice(0, 2).toLowerCase());
  const level = levelRuleOf(evidence);
  const category = categoryOf(evidence, level.name);
  return {
    level: level.level(evidence),
    category,
    confidence: confidenceOf(evidence, category),
    reason: reasonOf(evidence, level.name, category),
  };
}

function categoryOf({ scores, roles }: Evidence, rule: string): ThreatCategory {
  if (rule === "obituary") return "general";
  if (rule === "figure of speech" && !roles.has("figure")) return "general";
  return leading(scores) ?? "general";
}

function confidenceOf({ scores }: Evidence, category: ThreatCategory): number {
  const own = scores.get(category) ?? 0;
  const next = Math.max(0, ...[...scores].filter(([other]) => other !== category).map(([, score]) => score));
  if (own === 0) return 0.1;
  return Math.round(100 * (1 - Math.exp(-own / 5)) * (own / (own + next))) / 100;
}

function reasonOf({ findings, words, toll }: Evidence, rule: string, category: ThreatCategory): string {
  const spoken = findings.flatMap(({ classes, at, length }) => {
    const names = classes.filter((name) => {
      const { category: own, role }: WordClass = wordClasses[name];
      return own === category || role !== undefined;
    });
    const text = words
      .slice(at, at + length)
      .map(({ folded }) => folded)
      .join(" ");
    return names.length > 0 ? [`${names.join(" + ")} "${text}"`] : [];
  });
  return [rule, ...(toll > 1 ? [`toll ${toll}`] : []), ...spoken.slice(0, 8)].join("; ");
}
