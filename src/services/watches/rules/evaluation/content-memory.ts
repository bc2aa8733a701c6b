import { LRUCache } from "lru-cache";
import type { Content, Lacking } from "./answer-content.js";

/** Contents that were computed, by a key that stands for everything they follow from. */
export interface ContentMemory {
  /** The content of a key, computed unless it is remembered. Only contents are remembered, not what they lack. */
  contentOf(key: string, compute: () => Promise<Content | Lacking>): Promise<Content | Lacking>;
}

/** Characters of JSON that are remembered; they take about three times as many bytes. */
const CHARACTERS_MAX = 16_000_000;

/**
 * Remembers the contents that were used last. The content at a generation is compared twice: when the generation is
 * new, and with the next one.
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
