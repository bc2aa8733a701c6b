import { afterAll, beforeAll, expect, test } from "vitest";
import { call, json, type Stack, startStack } from "../../../../test/support/stack.js";
import type { CommandCall } from "../../../contract/service-command.js";
import { settingReader } from "../../../contract/setting.js";
import { companiesIn } from "./company-csv.js";
import { importCompanyFile } from "./import-company-file.js";

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ datasets: [] });
});
afterAll(() => stack.close());

/**
 * Runs the command on a file. Returns what it prints, the number of requests that it sends, and its failure, if any.
 */
async function imported(text: string, file = "companies.csv", options: CommandCall["options"] = {}) {
  const lines: string[] = [];
  const notes: string[] = [];
  let requests = 0;
  const commandCall: CommandCall = {
    argument: `/somewhere/${file}`,
    options,
    async send(path, body) {
      requests += 1;
      stack.clock.advance(6_100);
      const headers = { "x-service-key": stack.service.access.ownerKey.key ?? "", "content-type": "application/json" };
      const answer = await call(stack.answer, "POST", path, headers, { body: JSON.stringify(body) });
      return { status: answer.status, body: json(answer) };
    },
    readText: async () => text,
    setting: settingReader({}),
    receive: () => Promise.reject(new Error("unexpected call of receive")),
    say: (line) => lines.push(line),
    note: (line) => notes.push(line),
  };
  const failure = await importCompanyFile.run(commandCall).then(
    () => undefined,
    (error: Error) => error,
  );
  return { lines, notes, requests, failure };
}

const header = "name,domicile_country,customer_reference\n";
const rows = (count: number): string =>
  Array.from({ length: count }, (_, at) => `Company ${at},US,ref-${at}\n`).join("");

test("a file is imported in batches of 100 with progress, and importing it again has no effect", async () => {
  const first = await imported(header + rows(150));
  expect(first.notes).toEqual(["100 of 150 rows", "150 of 150 rows"]);
  expect(first.lines.at(-1)).toBe("150 created, 0 already present, 0 rejected");
  expect(first.lines[0]).toMatch(/^line +name +outcome +company +reason\n/);
  expect(first.lines[1]).toMatch(/\n102 +Company 100 +CREATED +cm_company_/);
  const again = await imported(header + rows(150));
  expect(again.lines.at(-1)).toBe("0 created, 150 already present, 0 rejected");
  const longer = await imported(`${header}${rows(150)}New,GB,\n`);
  expect(longer.lines.at(-1)).toBe("1 created, 150 already present, 0 rejected");
});

test("a changed row is reported as a conflict, and the command fails after the report", async () => {
  await imported(`${header}A,US,\n`, "changed.csv");
  const { lines, failure } = await imported(`${header}B,US,\n`, "changed.csv");
  expect(failure?.message).toBe("1 of 1 rows were rejected, for the reasons above");
  expect(lines[0]).toMatch(/2 +B +CONFLICT +cm_company_\w+ +REPLAY_CONFLICT/);
  expect(lines.at(-1)).toBe("0 created, 0 already present, 1 rejected");
});

test("with --json, the outcomes are printed as one JSON document", async () => {
  const { lines } = await imported(`${header}Jay,US,jay\n`, "json.csv", { json: "true" });
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? "")).toEqual({
    created: 1,
    replayed: 0,
    rejected: 0,
    rows: [
      {
        line: 2,
        name: "Jay",
        companyId: expect.stringMatching(/^cm_company_/),
        outcome: "COMPANY_IMPORT_ROW_OUTCOME_CREATED",
        reasonCode: "",
      },
    ],
  });
});

test("a file with invalid rows is refused, with the line of each invalid row, before any request is sent", async () => {
  const text = `name,domicile_country,domains\nA,US,a.example\nB,ZZ,b.example\n ,US,nowhere\n`;
  const { lines, requests, failure } = await imported(text);
  expect(failure?.message).toBe(
    "line 3: domicileCountry must name a country of ISO 3166-1, got DOMICILE_COUNTRY_ZZ\n" +
      "line 4: name must not be empty\n" +
      "line 4: domains[0] must be a host name such as example.com; write names with non-ASCII characters in Punycode",
  );
  expect({ lines, requests }).toEqual({ lines: [], requests: 0 });
});

/** A file with one company. Its row in the request has this number of bytes. */
function fileWithRowOf(bytes: number): string {
  const textWith = (last: string): string => {
    const identifiers = Array.from({ length: 16 }, (_, at) => String(at).padEnd(490, "x"));
    return `name,domicile_country,identifiers\nLong,US,${[...identifiers, last].join(";")}\n`;
  };
  const company = companiesIn(textWith("y"))[0]?.company;
  const shortest = Buffer.byteLength(JSON.stringify({ ordinal: 0, company }));
  return textWith("y".repeat(1 + bytes - shortest));
}

test("a row of more than 8,192 bytes is refused with its line, and a row of 8,192 bytes is imported", async () => {
  const larger = await imported(fileWithRowOf(8_193), "larger.csv");
  expect(larger.failure?.message).toBe("line 2: the row must have at most 8192 bytes of JSON, got 8193");
  expect(larger.requests).toBe(0);
  const largest = await imported(fileWithRowOf(8_192), "largest.csv");
  expect([largest.failure, largest.lines.at(-1)]).toEqual([undefined, "1 created, 0 already present, 0 rejected"]);
});

test("an empty file is refused before any request is sent", async () => {
  const { requests, failure } = await imported(header);
  expect(failure?.message).toBe("/somewhere/companies.csv has no companies");
  expect(requests).toBe(0);
});
