import { SourceFailure } from "../contract/source.js";
import { type Feed, FeedUnreadable, readFeed } from "../feeds/read-feed.js";

/** Decodes a feed of any dialect. Throws `SourceFailure` "changed" for anything but a complete feed. */
export function decodeFeed(text: string, url: string | undefined, summariesMax: number | undefined): Feed {
  try {
    return readFeed(text, {
      ...(url !== undefined && { base: url }),
      ...(summariesMax !== undefined && { summariesMax }),
    });
  } catch (error) {
    if (error instanceof FeedUnreadable) throw new SourceFailure("changed", error.message);
    throw error;
  }
}
