import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { randomRuns } from "../../../test/support/effort.js";
import { breakingChanges } from "./breaking-changes.js";

type Node = Record<string, unknown>;

/** A small document with every kind of element that the comparison covers. */
function document(): Node {
  return {
    openapi: "3.1.0",
    security: [{ Key: [] }, { Token: ["read", "write"] }],
    paths: {
      "/things": {
        parameters: [{ name: "shared", in: "query", schema: { type: "string" } }],
        get: {
          parameters: [
            { name: "limit", in: "query", required: false, schema: { $ref: "#/components/schemas/Limit" } },
            { name: "order", in: "query", schema: { type: "string", enum: ["up", "down"], default: "up" } },
            { name: "filter", in: "query", schema: { anyOf: [{ type: "integer" }, { type: "string" }] } },
            { $ref: "#/components/parameters/Name" },
            { name: "must", in: "query", required: true, schema: { type: "string" } },
          ],
          responses: {
            "200": {
              description: "Things",
              headers: { ETag: { schema: { type: "string" } } },
              content: { "application/json": { schema: { $ref: "#/components/schemas/Things" } } },
            },
            "204": { description: "None" },
            "404": {
              description: "Lost",
              content: { "application/json": { schema: { oneOf: [{ $ref: "#/components/schemas/Fault" }] } } },
            },
          },
        },
        post: {
          requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/NewThing" } } } },
          responses: { "201": { description: "Made" } },
        },
      },
      "/open": { get: { security: [], responses: { "200": { description: "Open" } } } },
    },
    components: {
      securitySchemes: {
        Key: { type: "apiKey", in: "header", name: "X-Key", description: "A key" },
        Token: { type: "oauth2" },
      },
      parameters: { Name: { name: "name", in: "query", schema: { type: "string", maxLength: 20 } } },
      schemas: {
        Limit: { type: "integer", format: "int32", minimum: 0, maximum: 100 },
        Things: {
          type: "object",
          required: ["things"],
          properties: {
            things: { type: "array", items: { $ref: "#/components/schemas/Thing" } },
            byName: { type: "object", additionalProperties: { type: "integer" } },
            byCode: { type: "object", patternProperties: { "^[A-Z]{2}$": { type: "string", enum: ["ok"] } } },
          },
        },
        Thing: {
          type: "object",
          required: ["id", "level"],
          properties: {
            id: { type: "string", format: "uuid" },
            level: { type: "string", enum: ["low", "high"] },
            size: { type: "number", minimum: 0 },
            within: { $ref: "#/components/schemas/Thing" },
          },
        },
        Fault: { type: "object", required: ["error"], properties: { error: { type: "string" } } },
        NewThing: {
          type: "object",
          required: ["name"],
          properties: {
            name: { type: "string", minLength: 1 },
            tags: { type: "array", maxItems: 10, items: { type: "string" } },
            parent: { $ref: "#/components/schemas/NewThing" },
          },
        },
      },
    },
  };
}

/** The node at a path of keys. */
function at(root: Node, ...keys: readonly (string | number)[]): Node {
  // Missing nodes are not reported here: a test that names a wrong path fails as soon as it uses the result.
  return keys.reduce<Node>((node, key) => node[key] as Node, root);
}

const GET = ["paths", "/things", "get"] as const;
const POST = ["paths", "/things", "post"] as const;
const parameter = (root: Node, index: number): Node => at(root, ...GET, "parameters", index);
const schema = (root: Node, name: string): Node => at(root, "components", "schemas", name);
const property = (root: Node, name: string, member: string): Node => at(schema(root, name), "properties", member);
const list = (root: Node, ...keys: readonly (string | number)[]): unknown[] =>
  at(root, ...keys) as unknown as unknown[];

type Change = (root: Node) => unknown;

function changesOf(change: Change): readonly string[] {
  const current = document();
  change(current);
  return breakingChanges(document(), current);
}

const ANSWER = "GET /things, answer 200";
const BODY = "POST /things, request body";

const breaking: readonly (readonly [what: string, change: Change, ...sentences: readonly string[]])[] = [
  ["a path removed", (root) => delete at(root, "paths")["/open"], "/open: the path was removed"],
  ["a method removed", (root) => delete at(root, "paths", "/things")["post"], "POST /things: the method was removed"],
  [
    "a parameter removed",
    (root) => list(root, ...GET, "parameters").splice(1, 1),
    "GET /things, query parameter `order`: was removed",
  ],
  [
    "a parameter renamed",
    (root) => Object.assign(parameter(root, 1), { name: "sort" }),
    "GET /things, query parameter `order`: was removed",
  ],
  [
    "a parameter that moved to a header",
    (root) => Object.assign(parameter(root, 1), { in: "header" }),
    "GET /things, query parameter `order`: was removed",
  ],
  [
    "a parameter shared by all methods of a path removed",
    (root) => delete at(root, "paths", "/things")["parameters"],
    "GET /things, query parameter `shared`: was removed",
    "POST /things, query parameter `shared`: was removed",
  ],
  [
    "a parameter newly required",
    (root) => Object.assign(parameter(root, 0), { required: true }),
    "GET /things, query parameter `limit`: is newly required",
  ],
  [
    "a new required parameter",
    (root) => list(root, ...GET, "parameters").push({ name: "new", in: "query", required: true }),
    "GET /things, query parameter `new`: is new and required",
  ],
  [
    "a different style of a parameter",
    (root) => Object.assign(parameter(root, 1), { explode: false }),
    "GET /things, query parameter `order`: `explode` changed from none to false",
  ],
  [
    "a different type of a parameter",
    (root) => Object.assign(schema(root, "Limit"), { type: "string" }),
    "GET /things, query parameter `limit`: type changed from integer to string",
  ],
  [
    "an alternative of a parameter removed",
    (root) => list(root, ...GET, "parameters", 2, "schema", "anyOf").pop(),
    'GET /things, query parameter `filter`: the alternative {"type":"string"} is no longer accepted',
  ],
  [
    "only one alternative of a parameter left",
    (root) => Object.assign(parameter(root, 2), { schema: { type: "string" } }),
    'GET /things, query parameter `filter`: the alternative {"type":"integer"} is no longer accepted',
  ],
  [
    "a value of a parameter removed",
    (root) => Object.assign(at(parameter(root, 1), "schema"), { enum: ["up"] }),
    'GET /things, query parameter `order`: the value "down" was removed',
  ],
  [
    "a parameter limited to some values",
    (root) => Object.assign(at(root, "components", "parameters", "Name", "schema"), { enum: ["a", "b"] }),
    'GET /things, query parameter `name`: takes only "a", "b" now',
  ],
  [
    "a different default",
    (root) => Object.assign(at(parameter(root, 1), "schema"), { default: "down" }),
    'GET /things, query parameter `order`: `default` changed from "up" to "down"',
  ],
  [
    "a minimum raised",
    (root) => Object.assign(schema(root, "Limit"), { minimum: 1 }),
    "GET /things, query parameter `limit`: `minimum` changed from 0 to 1",
  ],
  [
    "a maximum lowered",
    (root) => Object.assign(schema(root, "Limit"), { maximum: 99 }),
    "GET /things, query parameter `limit`: `maximum` changed from 100 to 99",
  ],
  [
    "a maximum added",
    (root) => Object.assign(schema(root, "Limit"), { exclusiveMaximum: 1_000 }),
    "GET /things, query parameter `limit`: `exclusiveMaximum` changed from none to 1000",
  ],
  [
    "a maximum length lowered",
    (root) => Object.assign(at(root, "components", "parameters", "Name", "schema"), { maxLength: 19 }),
    "GET /things, query parameter `name`: `maxLength` changed from 20 to 19",
  ],
  [
    "a pattern added",
    (root) => Object.assign(at(root, "components", "parameters", "Name", "schema"), { pattern: "^a" }),
    'GET /things, query parameter `name`: `pattern` changed from none to "^a"',
  ],
  [
    "a multiple required",
    (root) => Object.assign(schema(root, "Limit"), { multipleOf: 10 }),
    "GET /things, query parameter `limit`: `multipleOf` changed from none to 10",
  ],
  [
    "a different format of a parameter",
    (root) => Object.assign(schema(root, "Limit"), { format: "int64" }),
    'GET /things, query parameter `limit`: `format` changed from "int32" to "int64"',
  ],
  [
    "a keyword that is not understood",
    (root) => Object.assign(schema(root, "Limit"), { not: { const: 13 } }),
    'GET /things, query parameter `limit`: `not` changed from none to {"const":13}',
  ],
  [
    "an additional schema that must hold",
    (root) => Object.assign(schema(root, "Limit"), { allOf: [{ maximum: 50 }] }),
    'GET /things, query parameter `limit`: `allOf` changed from none to [{"maximum":50}]',
  ],
  ["a body removed", (root) => delete at(root, ...POST)["requestBody"], `${BODY}: was removed`],
  [
    "a body newly required",
    (root) => Object.assign(at(root, ...POST, "requestBody"), { required: true }),
    `${BODY}: is newly required`,
  ],
  [
    "a new body that is required",
    (root) => Object.assign(at(root, ...GET), { requestBody: { required: true } }),
    "GET /things, request body: is newly required",
  ],
  [
    "a content type of a body removed",
    (root) => Object.assign(at(root, ...POST, "requestBody"), { content: { "text/csv": {} } }),
    `${BODY}: the content type application/json was removed`,
  ],
  [
    "a member of a body newly required",
    (root) => Object.assign(schema(root, "NewThing"), { required: ["name", "tags"] }),
    `${BODY}: \`tags\` is newly required`,
  ],
  [
    "a new required member of a body",
    (root) => {
      Object.assign(schema(root, "NewThing"), { required: ["name", "colour"] });
      Object.assign(at(schema(root, "NewThing"), "properties"), { colour: { type: "string" } });
    },
    `${BODY}: \`colour\` is newly required`,
  ],
  [
    "a member of a body removed",
    (root) => delete at(schema(root, "NewThing"), "properties")["tags"],
    `${BODY}: \`tags\` was removed`,
  ],
  [
    "a different type of a member of a body",
    (root) => Object.assign(at(property(root, "NewThing", "tags"), "items"), { type: "integer" }),
    `${BODY}: \`tags[]\` type changed from string to integer`,
  ],
  [
    "fewer items in a body",
    (root) => Object.assign(property(root, "NewThing", "tags"), { maxItems: 5 }),
    `${BODY}: \`tags\` \`maxItems\` changed from 10 to 5`,
  ],
  [
    "a longer string required in a body",
    (root) => Object.assign(property(root, "NewThing", "name"), { minLength: 2 }),
    `${BODY}: \`name\` \`minLength\` changed from 1 to 2`,
  ],
  [
    "a body closed to other members",
    (root) => Object.assign(schema(root, "NewThing"), { additionalProperties: false }),
    `${BODY}: \`*\` is no longer accepted`,
  ],
  [
    "a success status of the GET removed",
    (root) => delete at(root, ...GET, "responses")["204"],
    "GET /things, answer 204: was removed",
  ],
  [
    "a content type of an answer removed",
    (root) => Object.assign(at(root, ...GET, "responses", "200"), { content: {} }),
    `${ANSWER}: the content type application/json was removed`,
  ],
  [
    "a header of an answer removed",
    (root) => delete at(root, ...GET, "responses", "200")["headers"],
    `${ANSWER}, header \`ETag\`: was removed`,
  ],
  [
    "a different type of a header",
    (root) => Object.assign(at(root, ...GET, "responses", "200", "headers", "ETag", "schema"), { type: "integer" }),
    `${ANSWER}, header \`ETag\`: type changed from string to integer`,
  ],
  [
    "a member of an answer removed, behind references and lists",
    (root) => delete at(schema(root, "Thing"), "properties")["id"],
    `${ANSWER}: \`things[].id\` was removed`,
  ],
  [
    "a member of an answer that is no longer always there",
    (root) => Object.assign(schema(root, "Thing"), { required: ["id"] }),
    `${ANSWER}: \`things[].level\` may be missing now`,
  ],
  [
    "a different type of a member of an answer",
    (root) => Object.assign(property(root, "Thing", "size"), { type: "string" }),
    `${ANSWER}: \`things[].size\` type changed from number to string`,
  ],
  [
    "a member of an answer that may be null now",
    (root) => Object.assign(property(root, "Thing", "size"), { type: ["number", "null"] }),
    `${ANSWER}: \`things[].size\` type changed from number to number or null`,
  ],
  [
    "an alternative added to a member of an answer",
    (root) =>
      Object.assign(at(schema(root, "Thing"), "properties"), {
        size: { anyOf: [{ type: "number", minimum: 0 }, { type: "null" }] },
      }),
    `${ANSWER}: \`things[].size\` the alternative {"type":"null"} is a new form of the answer`,
  ],
  [
    "a different format in an answer",
    (root) => Object.assign(property(root, "Thing", "id"), { format: "uri" }),
    `${ANSWER}: \`things[].id\` \`format\` changed from "uuid" to "uri"`,
  ],
  [
    "a bound of an answer loosened",
    (root) => Object.assign(property(root, "Thing", "size"), { minimum: -1 }),
    `${ANSWER}: \`things[].size\` \`minimum\` changed from 0 to -1`,
  ],
  [
    "a different type in a dictionary of an answer",
    (root) => Object.assign(property(root, "Things", "byName"), { additionalProperties: { type: "string" } }),
    `${ANSWER}: \`byName.*\` type changed from integer to string`,
  ],
  [
    "a different type under a pattern of names",
    (root) =>
      Object.assign(property(root, "Things", "byCode"), { patternProperties: { "^[A-Z]{2}$": { type: "integer" } } }),
    `${ANSWER}: \`byCode./^[A-Z]{2}$/\` type changed from string to integer`,
  ],
  [
    "a different pattern of names",
    (root) =>
      Object.assign(property(root, "Things", "byCode"), { patternProperties: { "^[a-z]{2}$": { type: "string" } } }),
    `${ANSWER}: \`byCode\` \`patternProperties\` changed from {"^[A-Z]{2}$":{"type":"string","enum":["ok"]}} to {"^[a-z]{2}$":{"type":"string"}}`,
  ],
  [
    "a reference that leads nowhere",
    (root) => delete at(root, "components", "schemas")["Thing"],
    `${ANSWER}: \`things[]\` refers to #/components/schemas/Thing, which does not exist`,
  ],
  [
    "a member of an error removed",
    (root) => Object.assign(schema(root, "Fault"), { properties: {}, required: [] }),
    'GET /things, answer 404: the alternative {"$ref":"#/components/schemas/Fault"} is a new form of the answer',
  ],
  [
    "a security scheme removed from every operation",
    (root) => list(root, "security").shift(),
    "GET /things: Key is no longer accepted",
    "POST /things: Key is no longer accepted",
  ],
  [
    "a security scheme removed from one operation",
    (root) => Object.assign(at(root, ...POST), { security: [{ Key: [] }] }),
    "POST /things: Token is no longer accepted",
  ],
  [
    "a second credential required",
    (root) => Object.assign(at(root, ...POST), { security: [{ Key: [], Token: ["read"] }] }),
    "POST /things: Key is no longer accepted",
    "POST /things: Token is no longer accepted",
  ],
  [
    "a different scope required",
    (root) => Object.assign(at(root, ...POST), { security: [{ Key: [] }, { Token: ["admin"] }] }),
    "POST /things: Token is no longer accepted",
  ],
  [
    "a credential required where there was none",
    (root) => Object.assign(at(root, "paths", "/open", "get"), { security: [{ Key: [] }] }),
    "GET /open: needs a credential now",
  ],
  [
    "a security scheme in another header",
    (root) => Object.assign(at(root, "components", "securitySchemes", "Key"), { name: "X-Other" }),
    "security scheme Key: its definition changed",
  ],
];

describe("breaking changes", () => {
  test.each(breaking.map(([what, change, ...sentences]) => [what, change, sentences] as const))(
    "the comparison reports %s",
    (_, change, sentences) => {
      expect(changesOf(change)).toEqual(sentences);
    },
  );
});

const additive: readonly (readonly [what: string, change: Change])[] = [
  ["the same document as a change", () => undefined],
  ["a new path", (root) => Object.assign(at(root, "paths"), { "/new": { get: {} } })],
  ["a new method", (root) => Object.assign(at(root, "paths", "/open"), { delete: {} })],
  ["a new optional parameter", (root) => list(root, ...GET, "parameters").push({ name: "new", in: "query" })],
  ["a parameter no longer required", (root) => delete parameter(root, 4)["required"]],
  ["parameters in another order", (root) => list(root, ...GET, "parameters").reverse()],
  [
    "a parameter written in place of its reference",
    (root) => list(root, ...GET, "parameters").splice(3, 1, { name: "name", in: "query", schema: { type: "string" } }),
  ],
  ["a new value of a parameter", (root) => list(parameter(root, 1), "schema", "enum").push("sideways")],
  ["a parameter open to all values", (root) => delete at(parameter(root, 1), "schema")["enum"]],
  ["a wider type of a parameter", (root) => Object.assign(schema(root, "Limit"), { type: ["number", "string"] })],
  ["one more alternative of a parameter", (root) => list(parameter(root, 2), "schema", "anyOf").push({ type: "null" })],
  [
    "an alternative added to a type",
    (root) => Object.assign(parameter(root, 4), { schema: { oneOf: [{ type: "boolean" }, { type: "string" }] } }),
  ],
  ["wider bounds of a parameter", (root) => Object.assign(schema(root, "Limit"), { minimum: -1, maximum: 101 })],
  [
    "bounds of a parameter removed",
    (root) => {
      for (const keyword of ["minimum", "maximum", "format"]) delete schema(root, "Limit")[keyword];
    },
  ],
  ["a default where there was none", (root) => Object.assign(schema(root, "Limit"), { default: 10 })],
  ["a new optional body", (root) => Object.assign(at(root, ...GET), { requestBody: { content: {} } })],
  [
    "an additional content type of a body",
    (root) => Object.assign(at(root, ...POST, "requestBody", "content"), { "text/csv": {} }),
  ],
  [
    "a new optional member of a body",
    (root) => Object.assign(at(schema(root, "NewThing"), "properties"), { colour: { type: "string" } }),
  ],
  ["a member of a body no longer required", (root) => delete schema(root, "NewThing")["required"]],
  ["a new member of an answer", (root) => Object.assign(at(schema(root, "Thing"), "properties"), { colour: {} })],
  [
    "a new member of an answer that is always there",
    (root) => {
      Object.assign(at(schema(root, "Thing"), "properties"), { colour: { type: "string" } });
      list(schema(root, "Thing"), "required").push("colour");
    },
  ],
  ["a member of an answer that is always there now", (root) => list(schema(root, "Thing"), "required").push("size")],
  [
    "a narrower type of a member of an answer",
    (root) => Object.assign(property(root, "Thing", "size"), { type: "integer" }),
  ],
  ["a new value of an answer", (root) => list(property(root, "Thing", "level"), "enum").push("middle")],
  ["a value that an answer no longer has", (root) => list(property(root, "Thing", "level"), "enum").pop()],
  ["tighter bounds of an answer", (root) => Object.assign(property(root, "Thing", "size"), { minimum: 1, maximum: 9 })],
  [
    "an answer closed to other members",
    (root) => Object.assign(schema(root, "Thing"), { additionalProperties: false }),
  ],
  [
    "an additional status",
    (root) => Object.assign(at(root, ...GET, "responses"), { "409": { description: "Conflict" } }),
  ],
  ["an error that no longer happens", (root) => delete at(root, ...GET, "responses")["404"]],
  [
    "a new member of an error",
    (root) => Object.assign(at(schema(root, "Fault"), "properties"), { code: { type: "string" } }),
  ],
  [
    "an additional header of an answer",
    (root) => Object.assign(at(root, ...GET, "responses", "200", "headers"), { "Last-Modified": {} }),
  ],
  [
    "descriptions",
    (root) => {
      Object.assign(schema(root, "Limit"), { title: "Limit", description: "How many", examples: [3] });
      Object.assign(at(root, ...GET), { summary: "All things", deprecated: true });
      Object.assign(at(root, "components", "securitySchemes", "Key"), { description: "Another word for it" });
    },
  ],
  ["a credential accepted in addition", (root) => list(root, "security").push({ Cookie: [] })],
  [
    "fewer scopes required",
    (root) => Object.assign(at(root, ...POST), { security: [{ Key: [] }, { Token: ["read"] }] }),
  ],
  ["an operation that no longer needs a credential", (root) => Object.assign(at(root, ...POST), { security: [] })],
  [
    "the same credentials declared by the operation itself",
    (root) => Object.assign(at(root, ...GET), { security: [{ Token: ["write", "read"] }, { Key: [] }] }),
  ],
];

describe("compatible changes", () => {
  test.each(additive)("the comparison does not report %s", (_, change) => {
    expect(changesOf(change)).toEqual([]);
  });
});

describe("references", () => {
  const withSchema = (schemas: Node, name: string): Node => ({
    paths: {
      "/x": {
        get: {
          responses: {
            "200": { content: { "application/json": { schema: { $ref: `#/components/schemas/${name}` } } } },
          },
        },
      },
    },
    components: { schemas },
  });

  test("references in a cycle are compared without an endless loop", () => {
    const ring = withSchema({ A: { $ref: "#/components/schemas/B" }, B: { $ref: "#/components/schemas/A" } }, "A");
    const self = withSchema({ A: { anyOf: [{ $ref: "#/components/schemas/A" }, { type: "string" }] } }, "A");
    expect(breakingChanges(ring, ring)).toEqual([]);
    expect(breakingChanges(self, self)).toEqual([]);
    expect(breakingChanges(withSchema({ A: { type: "string" } }, "A"), self)).toEqual([]);
  });

  test("a schema may be renamed, since its name is not part of an answer", () => {
    const renamed = withSchema({ "a/b~c": { type: "string" } }, "a~1b~0c");
    expect(breakingChanges(withSchema({ A: { type: "string" } }, "A"), renamed)).toEqual([]);
    expect(breakingChanges(withSchema({ A: { type: "integer" } }, "A"), renamed)).toHaveLength(1);
  });

  test("a change inside schemas that contain each other is reported once, at its place", () => {
    const tree = (type: string): Node =>
      withSchema(
        {
          Tree: {
            type: "object",
            properties: { leaves: { type: "array", items: { $ref: "#/components/schemas/Leaf" } } },
          },
          Leaf: { type: "object", properties: { tree: { $ref: "#/components/schemas/Tree" }, size: { type } } },
        },
        "Tree",
      );
    expect(breakingChanges(tree("integer"), tree("string"))).toEqual([
      "GET /x, answer 200: `leaves[].size` type changed from integer to string",
    ]);
  });
});

test("a value that is not a document is treated as a document without paths", () => {
  expect(breakingChanges(null, document())).toEqual([]);
  expect(breakingChanges(document(), "?")).toEqual(["/things: the path was removed", "/open: the path was removed"]);
});

const published: Node = JSON.parse(readFileSync(new URL("../../../docs/openapi.json", import.meta.url), "utf8"));

/** All objects within a document for which `isOne` returns true. */
function nodesOf(node: unknown, isOne: (node: Node) => boolean): Node[] {
  if (typeof node !== "object" || node === null) return [];
  const own = !Array.isArray(node) && isOne(node as Node) ? [node as Node] : [];
  return [...own, ...Object.values(node).flatMap((value) => nodesOf(value, isOne))];
}

/**
 * Additions that are not breaking, by kind. Each adds something called `name`; `pick` selects the node that it changes.
 */
const additions: Readonly<Record<string, (root: Node, name: string, pick: number) => void>> = {
  path: (root, name) => Object.assign(at(root, "paths"), { [`/api/${name}`]: { get: {} } }),
  parameter: (root, name, pick) => {
    const operation = picked(
      nodesOf(root["paths"], (node) => Array.isArray(node["parameters"])),
      pick,
    );
    list(operation, "parameters").push({ name, in: "query", required: false, schema: { type: "integer" } });
  },
  member: (root, name, pick) => {
    // Maps are left out, because a map already allows members of any name.
    const isRecord = (node: Node): boolean => node["type"] === "object" && "properties" in node;
    const schemas = nodesOf(at(root, "components", "schemas"), isRecord);
    Object.assign(at(picked(schemas, pick), "properties"), { [name]: { type: "string" } });
  },
  value: (root, name, pick) =>
    list(
      picked(
        nodesOf(root, (node) => Array.isArray(node["enum"])),
        pick,
      ),
      "enum",
    ).push(name),
  description: (root, name, pick) =>
    Object.assign(
      picked(
        nodesOf(root, (node) => typeof node["description"] === "string"),
        pick,
      ),
      { description: name },
    ),
  status: (root, name, pick) =>
    Object.assign(
      at(
        picked(
          nodesOf(root["paths"], (node) => "responses" in node),
          pick,
        ),
        "responses",
      ),
      {
        [name]: { description: name },
      },
    ),
};

function picked(nodes: readonly Node[], pick: number): Node {
  const node = nodes[pick % nodes.length];
  if (!node) throw new Error("the published document has no such place");
  return node;
}

/** The published document reduced to every fifth path, so that hundreds of comparisons take only seconds. */
function fifthOfPublished(): typeof published {
  const paths = Object.entries(published["paths"] as object).filter((_, place) => place % 5 === 0);
  return { ...published, paths: Object.fromEntries(paths) };
}

test("any number of additions to the published document is compatible, and removing an added path or parameter is breaking", () => {
  const before = fifthOfPublished();
  const addition = fc.record({
    kind: fc.constantFrom(...Object.keys(additions)),
    name: fc.stringMatching(/^new[a-z]{1,8}$/),
    pick: fc.nat(),
  });
  fc.assert(
    fc.property(fc.array(addition, { maxLength: 12 }), (added) => {
      const current = structuredClone(before);
      for (const { kind, name, pick } of added) additions[kind]?.(current, name, pick);
      expect(breakingChanges(before, current)).toEqual([]);
      const isLost = added.some(({ kind }) => kind === "path" || kind === "parameter");
      if (isLost) expect(breakingChanges(current, before)).not.toEqual([]);
    }),
    { numRuns: randomRuns(250) },
  );
});
