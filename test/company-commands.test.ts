import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type HttpServer, httpServer } from "../src/http/server.js";
import { keyOn } from "./support/callers.js";
import { commandHostForAll } from "./support/process.js";
import { type Stack, startStack } from "./support/stack.js";

const command = commandHostForAll();
let stack: Stack;
let server: HttpServer;
let url: string;
let folder: string;
beforeAll(async () => {
  stack = await startStack({ datasets: [] });
  server = httpServer(stack.answer);
  url = await server.listen("127.0.0.1", 0);
  folder = await mkdtemp(join(tmpdir(), "vigil-companies-"));
});
afterAll(async () => {
  await server.close();
  await stack.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs `vigil companies …` with the key of an account and returns the printed lines. The command must succeed. */
async function companies(key: string, ...args: readonly string[]): Promise<readonly string[]> {
  const env = { VIGIL_URL: url, VIGIL_KEY: key, VIGIL_DATA_DIR: folder };
  const { code, output, printed } = await command(["companies", ...args], env);
  expect(code, output).toBe(0);
  return printed.trimEnd().split("\n");
}

const HEADER = "name,domicile_country,customer_reference,aliases,domains,identifiers,social_handles,locations";
const FILE = [
  HEADER,
  '"Acme, ""Inc""",US,crm-1,ACME;Acme Industries,acme.example;z.example,LEI 5493001KJTIIGC8Y1R12,acme,Köln',
  "Ölwerk,DE,,,oelwerk.example,,,",
  // More rows than a single import accepts.
  ...Array.from({ length: 103 }, (_, at) => `Company ${at},GB,crm-x${at},,,,,`),
];

test("companies exported by one account are the same after another account has imported them", async () => {
  const scopes = ["company_monitoring:read", "company_monitoring:write"] as const;
  const [from, to] = [await keyOn(stack, "business", scopes), await keyOn(stack, "business", scopes)];
  const [file, exportedFile] = [join(folder, "companies.csv"), join(folder, "exported.csv")];
  await writeFile(file, `${FILE.join("\n")}\n`);

  expect((await companies(from, "import", file)).at(-1)).toBe("105 created, 0 already present, 0 rejected");
  expect((await companies(from, "import", file)).at(-1)).toBe("0 created, 105 already present, 0 rejected");
  const [title, , ...listed] = await companies(from, "list");
  expect(title).toMatch(/^company +name +state +coverage +claims$/);
  expect(listed).toHaveLength(105);
  expect(listed).toContainEqual(
    expect.stringMatching(/^cm_company_\w{26} +Acme, "Inc" +active +awaiting_first_scan +9$/),
  );

  const exported = await companies(from, "export");
  expect(exported[0]).toBe(HEADER);
  // Companies of one import are listed in the order of their ids, which is not the order of the rows in the file.
  expect([...exported].sort()).toEqual([...FILE].sort());
  await writeFile(exportedFile, `${exported.join("\n")}\n`);
  expect((await companies(to, "import", exportedFile)).at(-1)).toBe("105 created, 0 already present, 0 rejected");
  expect([...(await companies(to, "export"))].sort()).toEqual([...exported].sort());
}, 120_000);
