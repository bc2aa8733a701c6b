import { createHash } from "node:crypto";
import type { ClimateNewsItem } from "../../records.js";

/** An entry in a publisher's feed. */
interface Entry {
  readonly title: string;
  readonly link: string | undefined;
  readonly publishedAt: number | undefined;
  /** Empty if there is none. */
  readonly summary: string;
  readonly sourceName: string;
}

const SUMMARY_CHARACTERS_MAX = 300;
const ID_CHARACTERS = 16;

/** Returns the news item of an entry; undefined if the title, the address or the date of the entry is missing. */
export function newsItem({ title, link: url, publishedAt, summary, sourceName }: Entry): ClimateNewsItem | undefined {
  if (title === "" || url === undefined || publishedAt === undefined) return undefined;
  const id = createHash("sha256").update(url).digest("hex").slice(0, ID_CHARACTERS);
  return { id, title, url, sourceName, publishedAt, ...(summary !== "" && { summary: cut(summary) }) };
}

/** Shortens a text to at most 300 characters, with an ellipsis at the end if it was longer. */
function cut(text: string): string {
  const characters = Array.from(text);
  if (characters.length <= SUMMARY_CHARACTERS_MAX) return text;
  return `${characters
    .slice(0, SUMMARY_CHARACTERS_MAX - 1)
    .join("")
    .trimEnd()}…`;
}
