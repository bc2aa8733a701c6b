import { createHash } from "node:crypto";
import { decode } from "../../../src/upstream/decode.js";
import { recorded, recordedBytes } from "../../support/recordings.js";

interface Articles {
  readonly articles: readonly { readonly title: string }[];
}

interface Submissions {
  readonly name: string;
  readonly cik: string | number;
  readonly filings: { readonly recent: { readonly form: readonly string[]; readonly items: readonly string[] } };
}

interface Story {
  readonly title: string;
}

const locatorPattern = /^([\w./-]+)#(\d+):([0-9a-f]{12})$/;
const titlesByFile = new Map<string, readonly string[]>();

/**
 * Returns the title at a locator `<file below ../shared/upstream>#<position from 0>:<first 12 hex digits of the SHA-256
 * of the title>`. Throws if the title has a different hash.
 */
export function titleAt(locator: string): string {
  const [, file, position, hash] = locatorPattern.exec(locator) ?? [];
  if (file === undefined) throw new Error(`the locator ${locator} must be <file>#<position>:<12 hex digits>`);
  const title = titlesOf(file)[Number(position)];
  if (title === undefined) throw new Error(`${file} has no title at ${position}`);
  const titleHash = createHash("sha256").update(title).digest("hex").slice(0, 12);
  if (titleHash !== hash) throw new Error(`the title at ${locator} has the hash ${titleHash}`);
  return title;
}

function titlesOf(file: string): readonly string[] {
  const cached = titlesByFile.get(file);
  if (cached) return cached;
  const titles = readTitles(file);
  titlesByFile.set(file, titles);
  return titles;
}

function readTitles(file: string): readonly string[] {
  if (!file.endsWith(".json")) return decode(recordedBytes(file), { kind: "feed" }).items.map(({ title }) => title);
  const document: Articles | Submissions | Story = JSON.parse(recorded(file));
  if ("articles" in document) return document.articles.map(({ title }) => title.trim());
  if ("filings" in document) return filingTitles(document);
  return [document.title];
}

/**
 * Composes a title for each filing in a list of submissions, because the list has no titles. The titles have the same
 * form as those in the feed of current filings.
 */
function filingTitles({ name, cik, filings: { recent } }: Submissions): readonly string[] {
  return recent.form.map((form, index) => {
    const items = (recent.items[index] ?? "").split(",").filter((item) => item !== "");
    const title = `${form} - ${name} (${String(cik).padStart(10, "0")}) (Filer)`;
    return items.length === 0 ? title : `${title} ${items.map((item) => `Item ${item}`).join("; ")}`;
  });
}
