import { expect, test } from "vitest";
import { operationsOf, paramsIn } from "./catalogue.js";

test("operations list their parameters with the allowed values, without header parameters", () => {
  const operations = operationsOf({
    paths: {
      "/api/b/v1/list-b": {
        get: {
          operationId: "list-b",
          tags: ["b"],
          summary: "Lists b",
          parameters: [
            { $ref: "#/components/parameters/format" },
            { name: "history", in: "query", schema: { type: "boolean" } },
            { name: "kind", in: "query", required: true, schema: { type: "array", items: { enum: ["x", "y"] } } },
            { name: "Last-Event-ID", in: "header" },
          ],
        },
      },
      "/api/a/v1/make-a": {
        post: {
          operationId: "make-a",
          tags: ["a"],
          requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/A" } } } },
        },
      },
      "/livez": { get: { operationId: "livez" } },
    },
    components: {
      parameters: { format: { name: "format", in: "query", schema: { enum: ["json", "csv"] } } },
      schemas: { A: { required: ["name"], properties: { name: { type: "string" } } } },
    },
  });
  expect(operations.map(({ name, isWrite }) => [name, isWrite])).toEqual([
    ["make-a", true],
    ["list-b", false],
  ]);
  expect(operations.map(({ members }) => members.map(({ path }) => path))).toEqual([["name"], []]);
  expect(operations[1]?.parameters.map(({ name, isRequired, choices }) => [name, isRequired, choices])).toEqual([
    ["format", false, ["json", "csv"]],
    ["history", false, ["true", "false"]],
    ["kind", true, ["x", "y"]],
  ]);
});

test.each([
  ['{"pageSize":5,"country":["FR","DE"]}', { page_size: "5", country: "FR,DE" }],
  ["", {}],
  ["[1]", {}],
  ["no JSON", {}],
])("the text %s in an address yields the parameters %j", (text, params) => expect(paramsIn(text)).toEqual(params));
