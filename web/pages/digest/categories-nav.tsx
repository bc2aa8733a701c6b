import type { ListFeedDigestResponse } from "../../../src/sdk/index.js";
import { useHref, useView } from "../../location.js";
import { categoryName } from "./choices.js";
import { TOP } from "./stories.js";

interface CategoriesNavProps {
  readonly categories: ListFeedDigestResponse["categories"];
  readonly chosen: string;
}

/** The categories with their story counts. */
export function CategoriesNav({ categories, chosen }: CategoriesNavProps) {
  const { path, params } = useView();
  const href = useHref();
  const kept = Object.fromEntries(
    ["variant", "lang"].flatMap((name) => {
      const value = params.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  const counts = Object.entries(categories).map(([id, { items }]) => ({ id, count: items.length }));
  return (
    <nav class="categories" aria-label="Categories">
      {[{ id: TOP, count: undefined }, ...counts].map(({ id, count }) => (
        <a
          key={id}
          href={href(path, { ...kept, ...(id !== TOP && { category: id }) })}
          aria-current={id === chosen ? "page" : undefined}
        >
          {id === TOP ? "Top of all" : categoryName(id)} {count !== undefined && <span class="quiet">{count}</span>}
        </a>
      ))}
    </nav>
  );
}
