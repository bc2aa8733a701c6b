import { LRUCache } from "lru-cache";
import type { Content, Lacking } from "./answer-content.js";

/**
 * A cache of the contents of answers. A key names everything from which a content is computed, so equal keys mean equal
 * contents.
 */
export interface ContentMemory {
  /** The content for a key, computed if it is not cached. Failures are not cached. */
  contentOf(key: string, compute: () => Promise<Content | Lacking>): Promise<Content | Lacking>;
}

/** Maximum size of all cached contents, in characters of JSON. Each character takes about three bytes of memory. */
const CHARACTERS_MAX = 16_000_000;

/**
 * Caches the most recently used contents. The content at a generation is needed twice: as the new content when the
 * generation arrives, and as the earlier content when the next generation arrives.
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
