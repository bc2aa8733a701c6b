import { counted } from "../../../kit/counted.js";
import { table } from "../../../kit/text-table.js";

interface Term {
  readonly name: string;
  readonly input: number;
  readonly weight: number;
  readonly points: number;
}

/** The explanation that `explain=true` adds to a digest item, as the command receives it from the API. */
interface Explanation {
  readonly importance: readonly Term[];
  readonly credibility: readonly Term[];
  readonly level: {
    readonly classified: string;
    readonly applied: string;
    readonly reason?: string;
    readonly liftedBy?: readonly string[];
  };
  readonly entities: { readonly names: readonly string[]; readonly publisherCount: number };
  readonly families: readonly string[];
  readonly mentions: readonly {
    readonly feed: string;
    readonly title: string;
    readonly link: string;
    readonly publishedAt: number;
  }[];
}

interface ExplainedItem {
  readonly title: string;
  readonly source: string;
  readonly link: string;
  readonly publishedAt: number;
  readonly storyId: string;
  readonly importanceScore: number;
  readonly credibilityScore: number;
  readonly corroborationCount: number;
  readonly storyMeta?: { readonly firstSeen: number; readonly mentionCount: number; readonly phase: string };
  readonly threat?: { readonly category: string; readonly confidence: number };
  readonly explain: Explanation;
}

/** A digest with explained items. */
export interface ExplainedDigest {
  readonly generatedAt: string;
  readonly categories: Readonly<Record<string, { readonly items: readonly ExplainedItem[] }>>;
}

/**
 * Explains the scores of a story, from the first of these digests that contains it. A prefix of the story's id is
 * enough. Undefined if no digest contains the story.
 */
export function storyText(storyId: string, digests: Readonly<Record<string, ExplainedDigest>>): string | undefined {
  for (const [name, { categories, generatedAt }] of Object.entries(digests)) {
    const placements = Object.entries(categories).flatMap(([category, { items }]) =>
      items.filter((item) => item.storyId.startsWith(storyId)).map((item) => ({ category, item })),
    );
    const [first] = placements;
    if (!first) continue;
    const places = placements.map(({ category }) => category).join(", ");
    return itemText(first.item, `Digest ${name} of ${generatedAt}, in ${places}`);
  }
  return undefined;
}

function itemText(item: ExplainedItem, where: string): string {
  const { explain, storyMeta, threat } = item;
  const { level, entities, families, mentions } = explain;
  const lifted = level.liftedBy ? `, lifted by ${level.liftedBy.join(", ")}` : "";
  return [
    item.title,
    `${item.source}, ${instant(item.publishedAt)}, ${item.link}`,
    `Story ${item.storyId}. ${where}`,
    ...(storyMeta
      ? [
          `First seen ${instant(storyMeta.firstSeen)}, ${counted(storyMeta.mentionCount, "mention")}, ${phaseOf(storyMeta.phase)}`,
        ]
      : []),
    "",
    `Importance ${item.importanceScore}`,
    termTable(explain.importance),
    "",
    `Credibility ${item.credibilityScore}`,
    termTable(explain.credibility),
    "",
    `Level ${level.applied} (${level.classified} by its title${lifted})${threat ? `, category ${threat.category}, confidence ${threat.confidence}` : ""}`,
    ...(level.reason ? [`The title: ${level.reason}`] : []),
    `Corroborated by ${item.corroborationCount}: ${families.join(", ")}`,
    `Names ${entities.names.join(", ") || "none"}, shared by ${counted(entities.publisherCount, "publisher")}`,
    "",
    table(
      ["published", "feed", "title"],
      mentions.map(({ publishedAt, feed, title }) => [instant(publishedAt), feed, title]),
    ),
  ].join("\n");
}

function termTable(terms: readonly Term[]): string {
  return table(
    ["term", "input", "weight", "points"],
    terms.map(({ name, input, weight, points }) => [name, ...[input, weight, points].map(figure)]),
  );
}

/** Formats a number without floating-point noise: 0.55 × 100 is 55, not 55.00000000000001. */
function figure(value: number): string {
  return String(Number(value.toFixed(6)));
}

function instant(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace("T", " ");
}

function phaseOf(phase: string): string {
  return phase.replace("STORY_PHASE_", "").toLowerCase();
}
