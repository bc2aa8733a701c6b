import { counted } from "../../kit/counted.js";
import { escaped } from "../../kit/escaped-html.js";
import type { Answer } from "../exchange.js";
import { page } from "../platform/page.js";
import { excerpt } from "./excerpt.js";
import { type Document, type Library, renderedDocument } from "./library.js";
import { firstParagraph, type Heading } from "./markdown.js";
import type { Hit } from "./search-index.js";

/** Path of the search page. */
export const SEARCH_PATH = "/docs/search";

/** The page of a document: its text between the navigation and its table of contents. */
export function documentPage(document: Document, library: Library, simulated: boolean): Answer {
  const { html, headings } = renderedDocument(document, library);
  const contents = contentsOf(headings.filter(({ depth }) => depth === 2));
  return page({
    path: document.path,
    title: `${document.title} · Vigil`,
    description: firstParagraph(document.text),
    main: `${contents && `<details class="contents"><summary>On this page</summary>${contents}</details>`}${html}`,
    side: navigation(library, document.path, ""),
    after: contents && `<nav class="contents" aria-label="On this page"><p>On this page</p>${contents}</nav>`,
    simulated,
  });
}

/** The page that shows the results of a search. */
export function searchPage(query: string, hits: readonly Hit[], library: Library, simulated: boolean): Answer {
  const shown = escaped(query);
  const count = hits.length === 0 ? "No results" : counted(hits.length, "result");
  const summary = query === "" ? "Enter one or more words." : `${count} for “${shown}”.`;
  const rows = hits.map(
    (hit) => `<li><a href="${escaped(hit.path)}">${escaped(hit.title)}${hit.heading && `: ${escaped(hit.heading)}`}</a>
<p>${excerpt(hit)}</p></li>`,
  );
  return page({
    path: SEARCH_PATH,
    title: "Search · Vigil",
    main: `<h1>Search</h1><p role="status">${summary}</p><ol class="hits">${rows.join("\n")}</ol>`,
    side: navigation(library, SEARCH_PATH, query),
    simulated,
  });
}

function navigation({ topics }: Library, current: string, query: string): string {
  const groups = topics.map(({ title, documents }) => {
    const links = documents.map(({ path, title: name }) => {
      const mark = path === current ? ' aria-current="page"' : "";
      return `<li><a href="${path}"${mark}>${escaped(name)}</a></li>`;
    });
    return `<h2>${escaped(title)}</h2><ul>${links.join("")}</ul>`;
  });
  return `<search><form action="${SEARCH_PATH}"><label>Search the documents <input type="search" name="q" maxlength="100" value="${escaped(query)}"></label><button>Search</button></form></search>
<nav id="all-pages" aria-label="Documents">${groups.join("\n")}</nav>`;
}

function contentsOf(headings: readonly Heading[]): string {
  if (headings.length < 2) return "";
  return `<ul>${headings.map(({ id, text }) => `<li><a href="#${id}">${escaped(text)}</a></li>`).join("")}</ul>`;
}
