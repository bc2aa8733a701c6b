import { readFile } from "node:fs/promises";
import { keptResult } from "../../kit/kept-result.js";
import type { Answer, Exchange, PlatformRoute } from "../exchange.js";
import { staticAnswer } from "../platform/static-answer.js";
import { weightsOf } from "../weights.js";
import { documentPage, SEARCH_PATH, searchPage } from "./document-layout.js";
import { documentFile, documentPrograms, documentTopics, fileOfDocuments, GUIDE } from "./document-list.js";
import { type Document, type Library, readLibrary } from "./library.js";
import { QUERY_CHARACTERS_MAX, searchIndex } from "./search-index.js";

/** Path of the index of the pages. */
export const GUIDE_PATH = `/docs/${GUIDE}`;

/** Path of the versioning policy, which deprecated operations link to. */
export const POLICY_PATH = "/docs/versioning";

/** The pages of `docs/` and their search. Each page is rendered at its first request and then kept in memory. */
export function documentRoutes(simulated: boolean, onFault: (error: unknown) => void): readonly PlatformRoute[] {
  const library = keptResult(readLibrary);
  const index = keptResult(async () => searchIndex(await library()));
  const prepared = (path: string, load: () => Promise<Answer>): PlatformRoute =>
    route(path, staticAnswer(keptResult(load), onFault));
  const pages = [documentFile(GUIDE), ...documentTopics().flatMap(({ documents }) => documents)];
  return [
    ...pages.flatMap(({ name, path }) => {
      const html = staticAnswer(
        keptResult(async () => {
          const read = await library();
          return documentPage(documentIn(read, name), read, simulated);
        }),
        onFault,
      );
      const markdown = staticAnswer(
        keptResult(async () => text("text/markdown", documentIn(await library(), name).text)),
        onFault,
      );
      return [route(path, (exchange) => negotiated(exchange, html, markdown)), route(`${path}.md`, markdown)];
    }),
    ...documentPrograms().map((file) =>
      prepared(`/docs/${file}`, async () => text("text/x-python", await readFile(fileOfDocuments(file), "utf8"))),
    ),
    route(SEARCH_PATH, async ({ search }) => {
      const query = (new URLSearchParams(search).get("q") ?? "").trim().slice(0, QUERY_CHARACTERS_MAX);
      return searchPage(query, (await index()).search(query), await library(), simulated);
    }),
  ];
}

type Answering = (exchange: Exchange) => Promise<Answer>;

function route(path: string, answer: Answering): PlatformRoute {
  return { kind: "platform", path, isOpen: () => true, answer };
}

/** Answers with Markdown if `Accept` lists it with at least the weight of HTML, otherwise with HTML. */
async function negotiated(exchange: Exchange, html: Answering, markdown: Answering): Promise<Answer> {
  const weights = weightsOf(exchange.call.header("accept") ?? "");
  const weight = weights.get("text/markdown") ?? 0;
  const isMarkdown = weight > 0 && weight >= (weights.get("text/html") ?? 0);
  const answer = await (isMarkdown ? markdown : html)(exchange);
  return { ...answer, headers: { ...answer.headers, Vary: "Accept, Accept-Encoding, Origin" } };
}

function documentIn({ documents }: Library, name: string): Document {
  const document = documents.get(name);
  if (!document) throw new Error(`docs/${name}.md was removed while the service ran`);
  return document;
}

function text(contentType: string, body: string): Answer {
  return {
    status: 200,
    headers: { "Content-Type": `${contentType}; charset=utf-8`, "Cache-Control": "no-cache" },
    body,
  };
}
