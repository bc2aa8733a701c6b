import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type HttpServer, httpServer } from "../src/http/server.js";
import { blocksOf } from "./support/documents/blocks.js";
import { json, type Stack, startStack } from "./support/stack.js";

/* The steps of docs/spreadsheets.md, with stand-ins for the parts that only Excel and Google Sheets have. */

const blocks = blocksOf("docs/spreadsheets.md");
const LIST = "/api/seismology/v1/list-earthquakes";

function codeWith(text: string): string {
  const block = blocks.find(({ code }) => code.includes(text));
  if (block === undefined) throw new Error(`docs/spreadsheets.md has no block with ${text}`);
  return block.code;
}

let stack: Stack;
let server: HttpServer;
let url: string;
let key: string;
let ids: readonly string[];
beforeAll(async () => {
  stack = await startStack({ filled: ["earthquakes"], datasets: ["earthquakes"], env: { VIGIL_PUBLIC_READS: "on" } });
  server = httpServer(stack.answer);
  url = await server.listen("127.0.0.1", 0);
  key = stack.service.access.ownerKey.key ?? "";
  const { earthquakes } = json(await stack.get(`${LIST}?min_magnitude=6`)) as {
    readonly earthquakes: readonly { readonly id: string }[];
  };
  ids = earthquakes.map(({ id }) => id);
}, 60_000);
afterAll(async () => {
  await server.close();
  await stack.close();
});

const idsIn = (table: readonly (readonly string[])[]): readonly (string | undefined)[] => {
  const [header = [], ...rows] = table;
  return rows.map((row) => row[header.indexOf("id")]);
};

test("the Excel query gets the requested rows", async () => {
  const code = codeWith("Web.Contents(");
  const [, path = ""] = /RelativePath = "([^"]+)"/.exec(code) ?? [];
  const [, query = ""] = /Query = \[([^\]]+)\]/.exec(code) ?? [];
  const [, header = ""] = /Headers = \[#"([^"]+)" = "vgl_…"\]/.exec(code) ?? [];
  const parameters = new URLSearchParams();
  for (const [, name = "", value = ""] of query.matchAll(/(\w+) = "([^"]*)"/g)) parameters.append(name, value);
  expect(code).toContain(`Web.Contents("http://127.0.0.1:8787"`);
  const answer = await fetch(`${url}/${path}?${parameters}`, { headers: { [header]: key } });
  expect(answer.status).toBe(200);
  // With these options, Csv.Document and Table.PromoteHeaders read the table as the parser below does.
  expect(code).toContain(`[Delimiter = ",", Encoding = 65001, QuoteStyle = QuoteStyle.Csv]`);
  expect(idsIn(parse(await answer.text(), { delimiter: ",", encoding: "utf8" }))).toEqual(ids);
});

/** Stand-ins for the functions that Google's servers provide to a script. The stand-ins fetch with curl. */
const GOOGLE = `
const { execFileSync } = require("node:child_process");
const PropertiesService = { getScriptProperties: () => ({ getProperty: (name) => process.env[name] }) };
const UrlFetchApp = {
  fetch(address, { headers }) {
    const options = Object.entries(headers).flatMap(([name, value]) => ["-H", name + ": " + value]);
    const text = execFileSync("curl", ["--silent", "--show-error", "--fail", ...options, address], { encoding: "utf8" });
    return { getContentText: () => text };
  },
};
const Utilities = { parseCsv: (text) => require("csv-parse/sync").parse(text) };
`;

test("the Google Sheets function returns the rows that the documented formula requests", async () => {
  const [, path = ""] = /^=VIGIL\("([^"]+)"\)$/m.exec(codeWith("=VIGIL(")) ?? [];
  const code = codeWith("function VIGIL").replaceAll("https://vigil.example", url);
  const script = `${GOOGLE}${code}\nconsole.log(JSON.stringify(VIGIL(${JSON.stringify(path)})));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", script], {
    env: { PATH: process.env["PATH"] ?? "", VIGIL_KEY: key },
  });
  expect(idsIn(JSON.parse(stdout))).toEqual(ids);
});

test("IMPORTDATA reads the list without a key if reads are public", async () => {
  const [, address = ""] = /^=IMPORTDATA\("https:\/\/vigil\.example([^"]+)"\)$/m.exec(codeWith("=IMPORTDATA(")) ?? [];
  const answer = await fetch(url + address);
  expect(answer.status).toBe(200);
  expect(idsIn(parse(await answer.text()))).toEqual(ids);
});
