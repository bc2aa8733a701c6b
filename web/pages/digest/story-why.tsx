import type { ListFeedDigestResponse, NewsItem } from "../../../src/sdk/index.js";
import { instantText } from "../../format.js";
import { ReadFrame } from "../../parts/read-frame.js";
import { SafeLink } from "../../parts/safe-link.js";
import { type Read, useRead } from "../../reads/read.js";
import type { Language } from "./choices.js";
import { ScoreTerms } from "./score-terms.js";
import { storyExpression } from "./stories.js";
import { CREDIBILITY_TERMS, IMPORTANCE_TERMS } from "./terms.js";

interface StoryWhyProps {
  readonly variant: string;
  readonly lang: Language;
  /** The story by category and id, as in the address. */
  readonly story: string;
}

/** The explanation of a story's scores: their terms, the words that decided its level, and its articles. */
export function StoryWhy({ variant, lang, story }: StoryWhyProps) {
  const jmespath = storyExpression(story);
  const params = { variant, lang, explain: true, jmespath };
  const digest: Read<ListFeedDigestResponse> = useRead("list-feed-digest", params, {
    isWanted: jmespath !== undefined,
  });
  // The projection selects one story from the digest; null if the digest no longer has it.
  const read = digest as Read<unknown> as Read<NewsItem | null>;
  return (
    <ReadFrame
      read={read}
      title="Why this score"
      level={3}
      canWatch={false}
      empty={{ when: (item) => !item?.explain, text: "The digest no longer has this story in this category." }}
    >
      {(item) => item?.explain && <Explanation item={item} explain={item.explain} lang={lang} />}
    </ReadFrame>
  );
}

interface ExplanationProps {
  readonly item: NewsItem;
  readonly explain: NonNullable<NewsItem["explain"]>;
  readonly lang: Language;
}

function Explanation({ item, explain, lang }: ExplanationProps) {
  const { level, entities, families, mentions } = explain;
  return (
    <>
      <div class="grid">
        <ScoreTerms
          name="Importance"
          score={item.importanceScore}
          terms={explain.importance}
          meanings={IMPORTANCE_TERMS}
        />
        <ScoreTerms
          name="Credibility"
          score={item.credibilityScore}
          terms={explain.credibility}
          meanings={CREDIBILITY_TERMS}
        />
      </div>
      <dl class="why">
        <dt>Level</dt>
        <dd>
          {level.applied}
          {level.applied !== level.classified && ` (by its words: ${level.classified})`}
          {level.reason !== undefined && `, because of: ${level.reason}`}
          {level.liftedBy && level.liftedBy.length > 0 && `; lifted by ${level.liftedBy.join(", ")}`}
        </dd>
        <dt>Shared names</dt>
        <dd>
          {entities.names.length === 0 ? "none" : `${entities.names.join(", ")}: ${entities.publisherCount} publishers`}
        </dd>
        <dt>Publisher families with this story</dt>
        <dd>
          {families.length}: {families.join(", ")}
        </dd>
      </dl>
      <h4>Articles of the story, newest first (at most ten)</h4>
      <ul class="mentions">
        {mentions.map(({ feed, title, link, publishedAt }) => (
          <li key={`${feed} ${link}`}>
            <SafeLink href={link}>
              <span lang={lang} dir="auto">
                {title}
              </span>
            </SafeLink>{" "}
            <span class="quiet">
              {feed}, {instantText(publishedAt)} UTC
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
