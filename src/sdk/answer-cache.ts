import type { CacheLimits } from "./options.js";

/** An answer whose content the service can confirm as current. */
export interface CachedAnswer {
  readonly etag: string;
  readonly text: string;
  readonly headers: Headers;
}

export interface AnswerCache {
  get(url: string): CachedAnswer | undefined;
  set(url: string, answer: CachedAnswer): void;
}

/** Creates a cache that drops the least recently used answers. */
export function answerCache({ answersMax = 200, charactersMax = 20_000_000 }: CacheLimits = {}): AnswerCache {
  const answers = new Map<string, CachedAnswer>();
  let characters = 0;

  function remove(url: string): void {
    characters -= answers.get(url)?.text.length ?? 0;
    answers.delete(url);
  }

  return {
    get(url) {
      const answer = answers.get(url);
      if (answer === undefined) return undefined;
      // Moves the entry to the end of the map's insertion order, so that the first entry is the least recently used.
      answers.delete(url);
      answers.set(url, answer);
      return answer;
    },
    set(url, answer) {
      remove(url);
      if (answer.text.length > charactersMax) return;
      answers.set(url, answer);
      characters += answer.text.length;
      for (const oldest of answers.keys()) {
        if (answers.size <= answersMax && characters <= charactersMax) break;
        remove(oldest);
      }
    },
  };
}

/** A cache that stores nothing. */
export const noCache: AnswerCache = { get: () => undefined, set: () => undefined };
