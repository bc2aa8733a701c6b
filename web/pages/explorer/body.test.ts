import { describe, expect, test } from "vitest";
import { type BodyError, bodyOf, type Member, membersOf, type Schema } from "./body.js";

const schemas: Readonly<Record<string, Schema>> = {
  "#/Company": {
    required: ["name"],
    description: "A company.",
    properties: {
      name: { type: "string", description: "Name" },
      domains: { type: "array", items: { type: "string" } },
      claims: { type: "array", items: { $ref: "#/Claim" } },
    },
  },
  "#/Claim": { properties: { text: { type: "string" } } },
  "#/Threshold": { properties: { above: { type: "number" } } },
};

const find = (reference: string): Schema => schemas[reference] ?? {};

const members = membersOf(
  {
    required: ["company", "on"],
    properties: {
      company: { $ref: "#/Company" },
      on: { enum: ["NEW", "CHANGED"] },
      isQuiet: { type: "boolean" },
      seconds: { type: "integer" },
      threshold: { $ref: "#/Threshold" },
    },
  },
  find,
);

describe("the members of a body", () => {
  test("have an input of their type, and objects are groups of inputs", () => {
    const kinds = (all: readonly Member[]): unknown[] =>
      all.map((member) => [member.path, member.kind === "group" ? kinds(member.members) : member.kind]);
    expect(kinds(members)).toEqual([
      [
        "company",
        [
          ["company.name", "text"],
          ["company.domains", "lines"],
          ["company.claims", "json"],
        ],
      ],
      ["on", "choice"],
      ["isQuiet", "choice"],
      ["seconds", "number"],
      ["threshold", [["threshold.above", "number"]]],
    ]);
    expect(members[0]).toMatchObject({ description: "A company.", isRequired: true });
  });

  test("deep objects, such as those that contain themselves, are written as JSON", () => {
    const own: Schema = { properties: { inner: { $ref: "#/Own" } } };
    const [outer] = membersOf(own, () => own);
    expect(JSON.stringify(outer)).toContain('"kind":"json"');
  });
});

describe("the body of a draft", () => {
  test("has each value in the type of its member, and leaves out empty inputs", () => {
    const draft = {
      "company.name": "Acme",
      "company.domains": "acme.example\n\n acme.test ",
      "company.claims": '[{"text":"a"}]',
      on: "NEW",
      isQuiet: "false",
      seconds: "60",
      "threshold.above": "",
    };
    expect(bodyOf(members, draft)).toEqual({
      company: { name: "Acme", domains: ["acme.example", "acme.test"], claims: [{ text: "a" }] },
      on: "NEW",
      isQuiet: false,
      seconds: 60,
    });
  });

  test("has its required objects even if nothing is filled in", () => {
    expect(bodyOf(members, {})).toEqual({ company: {} });
  });

  test.each([
    ["seconds", "soon", "Must be a number."],
    ["company.claims", "[", "Must be JSON."],
  ])("is refused if the input for %s contains %s", (path, text, sentence) => {
    expect(() => bodyOf(members, { [path]: text })).toThrow(sentence);
    try {
      bodyOf(members, { [path]: text });
    } catch (error) {
      expect((error as BodyError).path).toBe(path);
    }
  });
});
