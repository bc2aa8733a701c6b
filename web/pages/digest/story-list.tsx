import type { ListFeedDigestResponse } from "../../../src/sdk/index.js";
import { useParam } from "../../location.js";
import type { Language } from "./choices.js";
import { type Story, storiesIn, storyChanges, storyParam, TOP } from "./stories.js";
import { StoryRow } from "./story-row.js";

interface StoryListProps {
  readonly digest: ListFeedDigestResponse;
  /** The current digest, if an earlier instant is shown. */
  readonly digestNow: ListFeedDigestResponse | undefined;
  readonly category: string;
  readonly variant: string;
  readonly lang: Language;
}

/** The stories of a category, with their changes since an earlier instant. */
export function StoryList({ digest, digestNow, category, variant, lang }: StoryListProps) {
  const [open, setOpen] = useParam("story");
  const stories = storiesIn(digest.categories, category);
  const changes = digestNow && storyChanges(stories, storiesIn(digestNow.categories, category));
  const row = (story: Story, isNew: boolean) => (
    <StoryRow
      key={`${isNew} ${storyParam(story)}`}
      story={story}
      variant={variant}
      lang={lang}
      mark={isNew ? { change: "new since", details: "" } : changes?.marks.get(story.item.storyId)}
      showsCategory={category === TOP}
      isOpen={!isNew && open === storyParam(story)}
      onToggle={setOpen}
    />
  );
  return (
    <>
      {changes && (
        <p class="notice" role="status">
          {changes.marks.size === 0 && changes.added.length === 0
            ? "These stories have not changed since the instant shown."
            : `Since the instant shown: ${changes.marks.size} of these stories changed or are gone, ${changes.added.length} were added.`}
        </p>
      )}
      {stories.length === 0 && <p class="notice empty">No story in this category.</p>}
      <ol class="stories">{stories.map((story) => row(story, false))}</ol>
      {changes && changes.added.length > 0 && (
        <>
          <h3>Added since</h3>
          <ol class="stories">{changes.added.map((story) => row(story, true))}</ol>
        </>
      )}
    </>
  );
}
