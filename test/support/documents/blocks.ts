import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const repository = resolve(import.meta.dirname, "../../..");

/** A fenced block of code of a document. */
export interface CodeBlock {
  /** Path of the document in the repository. */
  readonly page: string;
  /** Number of the line with the opening fence. */
  readonly line: number;
  /** The first word after the fence. */
  readonly language: string;
  /** The words after the language on the same line. */
  readonly label: string;
  readonly code: string;
  /** The reason why no test runs the block, from `<!-- not run: reason -->` above the block. */
  readonly notRun?: string;
  /** The output after which a command that never ends is stopped, from `<!-- runs until: text -->` above it. */
  readonly until?: string;
  /** The output that the page shows for the block: a `text` block directly after the block. */
  readonly printed?: string;
}

/** The folders that hold documents, and the pattern of the documents at the root. */
const FOLDERS = ["docs", "clients", "deploy"];
const AT_ROOT = /\.md$/;

/** The path of every document in the repository. */
export function documentPages(): readonly string[] {
  const atRoot = readdirSync(repository).filter((name) => AT_ROOT.test(name));
  const inFolders = FOLDERS.flatMap((folder) =>
    readdirSync(join(repository, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md") && !name.includes("node_modules"))
      .map((name) => `${folder}/${name}`),
  );
  return [...atRoot, ...inFolders].toSorted();
}

const FENCE = /^ *(`{3,}|~{3,}) *(\S*) *(.*)$/;
const COMMENT = /^ *<!-- ?(.+?):\s+([\s\S]+?) ?-->$/;

/** The blocks of a document in their order. Throws for a block without an end. */
export function blocksOf(page: string): readonly CodeBlock[] {
  return blocksIn(page, readFileSync(join(repository, page), "utf8"));
}

/** The blocks of the text of a page. */
export function blocksIn(page: string, text: string): readonly CodeBlock[] {
  const lines = text.split("\n");
  const blocks: (CodeBlock & { readonly endLine: number })[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const [, fence, language = "", label = ""] = FENCE.exec(lines[index] ?? "") ?? [];
    if (fence === undefined) continue;
    const end = lines.findIndex((line, at) => at > index && line.trim() === fence);
    if (end === -1) throw new Error(`${page}:${index + 1}: the block has no end`);
    const code = `${unindented(lines.slice(index + 1, end)).join("\n")}\n`;
    const last = blocks.at(-1);
    const isOutput = language === "text" && last !== undefined && isBlank(lines.slice(last.endLine, index));
    if (isOutput) blocks[blocks.length - 1] = { ...last, printed: code, endLine: end + 1 };
    else
      blocks.push({
        page,
        line: index + 1,
        language,
        label,
        code,
        ...marksAbove(lines.slice(0, index)),
        endLine: end + 1,
      });
    index = end;
  }
  return blocks.map(({ endLine: _, ...block }) => block);
}

/** The lines without the indent of the first line. */
function unindented(lines: readonly string[]): readonly string[] {
  const [indent = ""] = /^ */.exec(lines[0] ?? "") ?? [];
  return lines.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line.trimStart()));
}

const isBlank = (lines: readonly string[]): boolean => lines.every((line) => line.trim() === "");

/** The mark in the comment directly above a block, if there is one. */
function marksAbove(lines: readonly string[]): Pick<CodeBlock, "notRun" | "until"> {
  const [comment = ""] = /(?:^|\n) *<!--(?:(?!-->)[\s\S])*-->$/.exec(lines.slice(-6).join("\n")) ?? [];
  const [, name, value = ""] = COMMENT.exec(comment.trim()) ?? [];
  const words = value.replaceAll(/\s+/g, " ").trim();
  if (name === "not run") return { notRun: words };
  return name === "runs until" ? { until: words } : {};
}
