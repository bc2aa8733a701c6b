import type { ExplainCommand } from "../../../contract/explain-command.js";
import { OperatorError } from "../../../kit/operator-error.js";
import { digestVariants } from "../catalogue/digest-variants.js";
import type { ExplainedDigest } from "./story-text.js";

/** `vigil explain story`: prints the scores of a story with the terms of each sum. */
export const explainStory: ExplainCommand = {
  subject: "story",
  description: "explains the scores of a story in the news digest (VIGIL_URL, VIGIL_KEY)",
  argument: { name: "story", description: "its `storyId`, or the beginning of it" },
  options: [
    { flags: "--lang <language>", description: "language of the digest", default: "en" },
    { flags: "--variant <variant>", description: "full, tech, finance, happy or commodity; default: all of them" },
  ],
  examples: ["vigil explain story 5f0c2a91", "vigil explain story 5f0c2a91 --lang de --variant finance"],
  async run({ argument: story, options: { lang = "en", variant }, fetch }) {
    const { storyText } = await import("./story-text.js");
    const known = Object.keys(digestVariants);
    // The service would answer an unknown variant with the digest `full`.
    if (variant !== undefined && !known.includes(variant)) {
      throw new OperatorError(`--variant must be one of ${known.join(", ")}, got ${variant}`);
    }
    const variants = variant === undefined ? known : [variant];
    const digests: Record<string, ExplainedDigest> = {};
    for (const name of variants) {
      const query = new URLSearchParams({ variant: name, lang, explain: "true" });
      // The cast assumes an answer of this version of Vigil. Any other answer fails at the first missing member.
      digests[name] = (await fetch(`/api/news/v1/list-feed-digest?${query}`)) as ExplainedDigest;
    }
    const text = storyText(story, digests);
    if (text === undefined)
      throw new OperatorError(`no story ${story} in the digests ${variants.join(", ")} (${lang})`);
    return text;
  },
};
