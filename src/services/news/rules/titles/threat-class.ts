import { wordsOf } from "../../../../kit/words.js";
import { type ThreatCategory, type ThreatLevel, type WordClass, wordClasses } from "./threat-classes.js";
import { type Evidence, evidenceOf, leading } from "./threat-evidence.js";
import { levelRuleOf } from "./threat-level.js";

/** The category and threat level of a title, with the reason. */
export interface ThreatClass {
  readonly level: ThreatLevel;
  readonly category: ThreatCategory;
  /** 0 to 1; grows with the category's score and with its lead over the runner-up. */
  readonly confidence: number;
  /** The rule that set the level, and the phrases that support the level and the category. */
  readonly reason: string;
}

/** Maximum number of words read from a title. Real headlines are shorter. */
const WORDS_MAX = 80;
/** Number of characters at the end of a title that are searched for a final question mark. */
const ENDING_READ = 200;

/**
 * Classifies a headline by the phrases that threat-words.ts reads, the combinations of threat-combinations.ts and the
 * rules of test/labelled/README.md. White space and the form of quotes do not affect the result.
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
