import { SourceFailure } from "../contract/source.js";
import { type Feed, FeedUnreadable, readFeed } from "../feeds/read-feed.js";

/** The entries of a feed in any of its dialects. Throws `SourceFailure` "changed" for anything that is not a whole feed. */
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
