import { useNow } from "../../clock.js";
import { agoText, instantText, numberText } from "../../format.js";
import { SafeLink } from "../../parts/safe-link.js";
import { categoryName, type Language } from "./choices.js";
import { levelOf, type Story, type StoryMark, storyParam } from "./stories.js";
import { StoryWhy } from "./story-why.js";

interface StoryRowProps {
  readonly story: Story;
  readonly variant: string;
  readonly lang: Language;
  readonly mark: StoryMark | undefined;
  readonly showsCategory: boolean;
  readonly isOpen: boolean;
  readonly onToggle: (param: string) => void;
}

/** A story with its scores; expands to show the reasons for them. */
export function StoryRow({ story, variant, lang, mark, showsCategory, isOpen, onToggle }: StoryRowProps) {
  const now = useNow();
  const { item, category } = story;
  const param = storyParam(story);
  const level = levelOf(item);
  return (
    <li class={`story${mark ? " marked" : ""}`}>
      <div class="scores">
        <span title="Importance, 0 to 138">
          <strong class="value">{numberText(item.importanceScore)}</strong> <span class="quiet">importance</span>
        </span>
        <span title="Credibility, 0 to 100">
          <span class="value">{numberText(item.credibilityScore)}</span> <span class="quiet">credibility</span>
        </span>
      </div>
      <div class="story-text">
        <h3>
          <SafeLink href={item.link}>
            <span lang={lang} dir="auto">
              {item.title}
            </span>
          </SafeLink>
        </h3>
        <p class="story-facts">
          <span class="publisher">{item.source}</span>
          <span title={`${instantText(item.publishedAt)} UTC`}>{agoText(item.publishedAt, now)}</span>
          {level !== "unspecified" && (
            <span class={`tag${item.isAlert ? " alert" : ""}`}>
              {item.isAlert && "▲ "}
              {level} {item.threat?.category}
            </span>
          )}
          <span>{publisherText(item.corroborationCount)}</span>
          {item.storyMeta && (
            <span title={`First report ${instantText(item.storyMeta.firstSeen)} UTC`}>
              {item.storyMeta.phase.replace("STORY_PHASE_", "").toLowerCase()}, {item.storyMeta.mentionCount} reports
            </span>
          )}
          {item.locationName && <span>{item.locationName}</span>}
          {item.tickers?.map((ticker) => (
            <span key={ticker}>{ticker}</span>
          ))}
          {showsCategory && <span class="quiet">{categoryName(category)}</span>}
          {mark && (
            <span class="change-mark">
              {mark.change}
              {mark.details !== "" && `: ${mark.details}`}
            </span>
          )}
          {mark?.change !== "new since" && (
            <button
              type="button"
              class="link why-button"
              aria-expanded={isOpen}
              aria-label={`Why this score: ${item.title}`}
              onClick={() => onToggle(isOpen ? "" : param)}
            >
              Why this score
            </button>
          )}
        </p>
        {item.snippet !== undefined && (
          <p class="snippet quiet" lang={lang} dir="auto">
            {item.snippet}
          </p>
        )}
        {isOpen && <StoryWhy variant={variant} lang={lang} story={param} />}
      </div>
    </li>
  );
}

const publisherText = (count: number): string => (count === 1 ? "1 publisher" : `${count} independent publishers`);
