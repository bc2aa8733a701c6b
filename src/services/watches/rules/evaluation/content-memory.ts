import { LRUCache } from "lru-cache";
import type { Content, Lacking } from "./answer-content.js";

/** A cache of computed contents. A key identifies all inputs of a content. */
export interface ContentMemory {
  /** The content for a key, computed if it is not cached. Failures are not cached. */
  contentOf(key: string, compute: () => Promise<Content | Lacking>): Promise<Content | Lacking>;
}

/** Maximum JSON characters cached; they take about three times as many bytes. */
const CHARACTERS_MAX = 16_000_000;

/**
 * Caches the most recently used contents. The content at a generation is compared twice: when the generation is new,
 * and against the next one.
 */
export function contentMemory(charactersMax = CHARACTERS_MAX): ContentMemory {
  const contents = new LRUCache<string, Content>({ maxSize: charactersMax });
  return {
    async contentOf(key, compute) {
      const remembered = contents.get(key);
      if (remembered) return remembered;
      const content = await compute();
      if (content === "gone" || "error" in content) return content;
      contents.set(key, content, { size: key.length + JSON.stringify(content.value).length });
      return content;
    },
  };
}
