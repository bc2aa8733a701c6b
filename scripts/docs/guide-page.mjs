// docs/guide.md: the index of all pages by topic.
import { firstParagraph } from "../../dist/http/documents/markdown.js";
import { block } from "./markdown.mjs";

const SUMMARY_CHARACTERS_MAX = 200;

/** Returns the text of docs/guide.md. `topics` is the content of docs/topics.json; `textOf` reads a page by name. */
export function guidePage(topics, textOf) {
  const sections = topics.map(({ title, documents }) => {
    const rows = documents.map(({ name }) => {
      const text = textOf(name);
      return `- [${/^# (.+)$/m.exec(text)[1]}](${name}.md): ${firstSentence(firstParagraph(text))}`;
    });
    return `## ${title}\n\n${rows.join("\n")}`;
  });
  return `# Documents

Vigil serves public monitoring data as versioned snapshots with provenance. Begin with the [quick start](quick-start.md);
[concepts](concepts.md) explains the terms. \`/docs\` on every instance is the interactive API reference, and
[openapi.json](openapi.json) is its OpenAPI document. Every page is also served as Markdown:

${block("sh", 'curl "$URL/docs/concepts.md"')}

${sections.join("\n\n")}
`;
}

/** Returns the first sentence of a paragraph, cut to 200 characters. */
function firstSentence(paragraph) {
  const [sentence = paragraph] = /^.*?[.:](?=\s|$)/.exec(paragraph) ?? [];
  const plain = sentence.replace(/:$/, ".");
  return plain.length <= SUMMARY_CHARACTERS_MAX
    ? plain
    : `${plain.slice(0, plain.lastIndexOf(" ", SUMMARY_CHARACTERS_MAX))} …`;
}
