import { setParams, useAt, useParam, useView } from "../../location.js";
import { ReadFrame } from "../../parts/read-frame.js";
import { useRead } from "../../reads/read.js";
import { CategoriesNav } from "./categories-nav.js";
import { LANGUAGES, languageName, languageOf, VARIANTS } from "./choices.js";
import { FeedHealth } from "./feed-health.js";
import { TOP } from "./stories.js";
import { StoryList } from "./story-list.js";
import "./digest.css";

/** The news stories by category. Each story has scores, and an explanation of these scores. */
export default function Digest() {
  const at = useAt();
  const { params } = useView();
  const variant = VARIANTS.find(({ id }) => id === params.get("variant"))?.id ?? "full";
  const lang = languageOf(params.get("lang") ?? "en");
  const [category] = useParam("category", TOP);
  const read = useRead("list-feed-digest", { variant, lang });
  const current = useRead("list-feed-digest", { variant, lang }, { hasPast: false, isWanted: at !== undefined });
  const digestNow = at !== undefined && current.kind === "ready" ? current.answer.data : undefined;
  return (
    <>
      <header class="page-head">
        <h1>Digest</h1>
        <Choice
          label="Kind"
          param="variant"
          value={variant}
          otherwise="full"
          options={VARIANTS.map(({ id, name }) => [id, name])}
        />
        <Choice
          label="Language"
          param="lang"
          value={lang}
          otherwise="en"
          options={LANGUAGES.map((id) => [id, languageName(id)])}
        />
      </header>
      <ReadFrame
        read={read}
        title="Stories"
        // A digest that has never been built has no feeds or categories to show.
        empty={{ when: ({ generatedAt }) => generatedAt === undefined, text: "No digest has been built yet." }}
      >
        {(digest) => (
          <>
            <FeedHealth digest={digest} />
            <CategoriesNav categories={digest.categories} chosen={category} />
            <StoryList digest={digest} digestNow={digestNow} category={category} variant={variant} lang={lang} />
          </>
        )}
      </ReadFrame>
    </>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly param: string;
  readonly value: string;
  readonly otherwise: string;
  readonly options: readonly (readonly [id: string, name: string])[];
}

/**
 * Selects the kind or the language. A change clears the chosen category and story, because another kind or language has
 * different categories and stories.
 */
function Choice({ label, param, value, otherwise, options }: ChoiceProps) {
  const choose = (id: string): void =>
    setParams({ [param]: id === otherwise ? undefined : id, category: undefined, story: undefined });
  return (
    <label class="field">
      {label}
      <select value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {options.map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
