import type { Follow } from "../../src/http/exchange.js";

/** Follows a stream until it sends its first text, and closes it. */
export function firstText(follow: Follow | undefined): Promise<string> {
  if (follow === undefined) throw new Error("the answer is not a stream");
  return new Promise((resolve) => {
    const events = follow({
      send(text) {
        resolve(text);
        queueMicrotask(() => events.closed());
        return true;
      },
      end: () => undefined,
    });
  });
}
