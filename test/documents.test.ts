import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { failureTable } from "../src/contract/failures.js";
import { responseHeaderTexts } from "../src/contract/openapi/response-headers.js";
import { documentTopics } from "../src/http/documents/document-list.js";
import { renderedMarkdown } from "../src/http/documents/markdown.js";
import { type Stack, startStack } from "./support/stack.js";

const docs = resolve(import.meta.dirname, "../docs");
const names = ["guide", ...documentTopics().flatMap(({ documents }) => documents.map(({ name }) => name))];
const textOf = (name: string): string => readFileSync(resolve(docs, `${name}.md`), "utf8");

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ datasets: ["us-cpi"] });
});
afterAll(() => stack.close());

const pageAt = async (path: string): Promise<string> => String((await stack.get(path, {})).body);

describe("the list of documents", () => {
  test("every page has a topic in docs/topics.json", () => {
    expect(
      documentTopics()
        .find(({ title }) => title === "More")
        ?.documents.map(({ name }) => name) ?? [],
    ).toEqual([]);
  });

  test("no two pages have the same title", () => {
    const titles = names.map((name) => /^# (.+)$/m.exec(textOf(name))?.[1]);
    expect(titles).not.toContain(undefined);
    expect(new Set(titles).size).toBe(titles.length);
  });

  test("the index links to every page", async () => {
    const html = await pageAt("/docs/guide");
    const [, main = ""] = /<main[^>]*>([\s\S]*)<\/main>/.exec(html) ?? [];
    for (const name of names.slice(1)) expect(main).toContain(`href="/docs/${name}"`);
  });
});

describe.each(names)("/docs/%s", (name) => {
  const path = `/docs/${name}`;

  test("is a page with headings, generated from its document", async () => {
    const { status, headers, body } = await stack.get(path, {});
    const html = String(body);
    expect([status, headers["Content-Type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(html.match(/<h1 /g)).toHaveLength(1);
    expect(html.replaceAll(/<pre[\s\S]*?<\/pre>/g, "")).not.toMatch(/^#+ /m);
    expect(html).not.toMatch(/href="[^"]*\.md/);
    expect(html).not.toMatch(/<script|<img|\sstyle=|\son[a-z]+=/);
  });

  test("skips no heading level and uses no id twice", async () => {
    const html = await pageAt(path);
    const [, main = ""] = /<main[^>]*>([\s\S]*)<\/main>/.exec(html) ?? [];
    const levels = Array.from(main.matchAll(/<h([1-6])/g), ([, level]) => Number(level));
    levels.forEach((level, index) => {
      expect(level - (levels[index - 1] ?? 0), `heading ${index + 1}`).toBeLessThanOrEqual(1);
    });
    const ids = Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("is served as Markdown to a caller that accepts it, and at its address with .md", async () => {
    const accepted = await stack.get(path, { accept: "text/markdown, text/html;q=0.9" });
    const named = await stack.get(`${path}.md`, {});
    expect(accepted.headers).toMatchObject({
      "Content-Type": "text/markdown; charset=utf-8",
      Vary: "Accept, Accept-Encoding, Origin",
    });
    expect(String(accepted.body)).toBe(textOf(name));
    expect(String(named.body)).toBe(textOf(name));
  });
});

test("docs/headers.md and docs/errors.md describe every header and every failure", () => {
  for (const name of Object.keys(responseHeaderTexts)) expect(textOf("headers")).toContain(`| \`${name}\` |`);
  for (const [name, { status }] of Object.entries(failureTable)) {
    expect(textOf("errors")).toContain(`## ${status} ${name}\n`);
  }
});

describe("links", () => {
  const headingsOf = (file: string): ReadonlySet<string> =>
    new Set(renderedMarkdown(readFileSync(file, "utf8"), (href) => href).headings.map(({ id }) => id));
  const repositoryPages = [
    ...names.map((name) => `docs/${name}.md`),
    ...["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"],
  ];

  test.each(repositoryPages)("of %s lead to files and headings that exist in the repository", (page) => {
    const file = resolve(docs, "..", page);
    const dead: string[] = [];
    renderedMarkdown(readFileSync(file, "utf8"), (href) => {
      if (!isAlive(file, href)) dead.push(href);
      return href;
    });
    expect(dead).toEqual([]);
  });

  function isAlive(from: string, href: string): boolean {
    if (/^[a-z]+:/.test(href)) return /^https?:\/\/[a-z0-9.-]+\.[a-z]+(?:[/?#]\S*)?$/i.test(href);
    const [path = "", fragment] = href.split("#");
    const target = path === "" ? from : resolve(from, "..", path);
    if (!exists(target)) return false;
    return fragment === undefined || !target.endsWith(".md") || headingsOf(target).has(fragment);
  }

  test("of every served page lead to paths and headings that the service serves", async () => {
    const pages = new Map<string, string>();
    const load = async (path: string): Promise<string | undefined> => {
      if (!pages.has(path)) {
        const answer = await stack.get(path);
        pages.set(path, answer.status === 200 ? String(answer.body) : "");
      }
      return pages.get(path) || undefined;
    };
    const dead: string[] = [];
    for (const name of names) {
      const html = (await load(`/docs/${name}`)) ?? "";
      for (const href of new Set(Array.from(html.matchAll(/href="(\/[^"]*|#[^"]*)"/g), ([, target = ""]) => target))) {
        const [path = "", fragment] = href.split("#");
        const target = path === "" ? html : await load(path);
        const isThere = target !== undefined && (fragment === undefined || target.includes(` id="${fragment}"`));
        if (!isThere) dead.push(`${name}: ${href}`);
      }
    }
    expect(dead).toEqual([]);
  });
});

function exists(file: string): boolean {
  return readdirSync(resolve(file, "..")).includes(file.slice(file.lastIndexOf("/") + 1));
}

test("collapsed sections are kept, comments are removed, and other HTML is shown as text", () => {
  const page =
    "# A\n\n<!-- not run: b -->\n<details>\n<summary>More</summary>\n\n*c*\n\n</details>\n\n<b onclick='d'>e</b>\n";
  expect(renderedMarkdown(page, (href) => href).html.replaceAll(/\n+/g, "")).toBe(
    `<h1 id="a">A</h1><details><summary>More</summary><p><em>c</em></p></details><p>&lt;b onclick='d'&gt;e&lt;/b&gt;</p>`,
  );
});

test("a program in docs/ is served as text", async () => {
  const { status, headers, body } = await stack.get("/docs/verify_vigil.py", {});
  expect([status, headers["Content-Type"]]).toEqual([200, "text/x-python; charset=utf-8"]);
  expect(String(body)).toBe(readFileSync(resolve(docs, "verify_vigil.py"), "utf8"));
});

test.each([
  "/docs/decisions/0001-stored-records-by-part",
  "/docs/../package.json",
  "/docs/nothing",
  "/docs/topics.json",
])("%s is not served", async (path) => {
  expect((await stack.get(path)).status).toBe(404);
});

test.each(["/docs/formats", "/docs/formats.md"])("%s is compressed once and revalidated by its ETag", async (path) => {
  const plain = await stack.get(path, {});
  const packed = await stack.get(path, { "accept-encoding": "br" });
  expect(brotliDecompressSync(packed.body as Buffer).toString()).toBe(String(plain.body));
  expect((await stack.get(path, { "accept-encoding": "br" })).body).toBe(packed.body);
  const revalidated = await stack.get(path, { "if-none-match": packed.headers["ETag"] ?? "" });
  expect([revalidated.status, revalidated.body]).toEqual([304, undefined]);
});

test("the current page is marked in the navigation", async () => {
  expect(await pageAt("/docs/formats")).toContain('<a href="/docs/formats" aria-current="page">');
});

describe("the search", () => {
  const listOf = async (query: string): Promise<string> => {
    const html = await pageAt(`/docs/search?q=${encodeURIComponent(query)}`);
    return /<ol class="hits">([\s\S]*?)<\/ol>/.exec(html)?.[1] ?? "";
  };
  const resultsOf = async (query: string): Promise<readonly string[]> =>
    Array.from((await listOf(query)).matchAll(/<li><a href="([^"]+)"/g), ([, path = ""]) => path);
  /** The HTML of the excerpt of each result. */
  const excerptsOf = async (query: string): Promise<readonly string[]> =>
    Array.from((await listOf(query)).matchAll(/<p>([\s\S]*?)<\/p><\/li>/g), ([, excerpt = ""]) => excerpt);

  test.each([
    ["an exact word of a heading", "provenance", "/docs/concepts#provenance"],
    ["the beginning of a word", "webhoo", "/docs/webhooks"],
    ["a word with a typo", "projectoins", "/docs/projections"],
    ["the name of an operation", "list-earthquakes", "/docs/operations/seismology#list-earthquakes"],
    ["the name of a setting", "VIGIL_PUBLIC_READS", "/docs/settings"],
  ])("finds a page by %s", async (_, query, path) => {
    const results = await resultsOf(query);
    expect(results.length).toBeLessThanOrEqual(20);
    expect(
      results.slice(0, 5).some((result) => result.startsWith(path)),
      results.join(" "),
    ).toBe(true);
  });

  test("marks the query's word wherever an excerpt has it, and most excerpts have it", async () => {
    const excerpts = await excerptsOf("provenance");
    expect(excerpts.length).toBeGreaterThan(5);
    for (const excerpt of excerpts) {
      expect(excerpt.replaceAll(/<mark>[^<]*<\/mark>/g, "")).not.toMatch(/provenance/i);
    }
    const marked = excerpts.filter((excerpt) => /<mark>provenance<\/mark>/i.test(excerpt));
    expect(marked.length).toBeGreaterThan(excerpts.length / 2);
  });

  test("shows that there are no results if nothing matches", async () => {
    expect(await pageAt("/docs/search?q=qqqqqqqqqqqq")).toContain("No results");
  });

  test("shows its form if there is no query", async () => {
    const html = await pageAt("/docs/search");
    expect(html).toContain("Enter one or more words.");
    expect(html).toMatch(/<label>Search the documents <input type="search" name="q"/);
  });

  const hostile = [
    `"><script>alert(1)</script>`,
    "'; DROP TABLE datasets; --",
    "__proto__",
    "constructor toString hasOwnProperty",
    "%00\u0000\uffff\ud800",
    "a".repeat(100_000),
    "a ".repeat(50_000),
    "aaaaa bbbbb ccccc ddddd eeeee fffff ggggg hhhhh iiiii jjjjj",
    "(((((((((((((((((((((((((((((((((((*",
    "<img src=x onerror=alert(1)>",
  ];
  test.each(hostile)("answers the hostile query %s with an escaped page", async (query) => {
    const { status, body } = await stack.get(
      `/docs/search?q=${encodeURIComponent(query.replaceAll(/\p{Surrogate}/gu, ""))}`,
      {},
    );
    const html = String(body);
    expect(status).toBe(200);
    expect(html).not.toMatch(/<script|<img/);
    const [, value = ""] = / value="([^"]*)"/.exec(html) ?? [];
    expect(value.length).toBeLessThanOrEqual(600);
  });
});
