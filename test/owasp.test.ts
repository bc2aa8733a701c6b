import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { businessFlows } from "./security/business-flows.js";
import { configuration } from "./security/configuration.js";
import { credentials } from "./security/credentials.js";
import { functions } from "./security/functions.js";
import { type House, newMinute, openHouse } from "./security/house.js";
import { inventory } from "./security/inventory.js";
import { objects } from "./security/objects.js";
import { outbound } from "./security/outbound.js";
import { properties } from "./security/properties.js";
import { resources } from "./security/resources.js";
import { upstreams } from "./security/upstreams.js";

/* The OWASP API Security Top 10 (2023). Each attack is sent over HTTP to a running service. */

const risks = [
  objects,
  credentials,
  properties,
  resources,
  functions,
  businessFlows,
  outbound,
  configuration,
  inventory,
  upstreams,
];

let house: House;
beforeAll(async () => {
  house = await openHouse();
}, 120_000);
afterAll(() => house.close());
beforeEach(() => newMinute(house));

for (const { id, attacks } of risks) {
  describe(id, () => {
    for (const { name, run } of attacks) test(name, () => run(house));
  });
}

test("the attacks cover the ten risks", () => {
  expect(risks.map(({ id }) => id)).toEqual(Array.from({ length: 10 }, (_, at) => `API${at + 1}`));
  for (const { id, attacks } of risks) expect([id, attacks.length > 0]).toEqual([id, true]);
});

test("docs/security.md lists every attack with its defence and the name of its test", () => {
  const page = readFileSync(resolve(import.meta.dirname, "../docs/security.md"), "utf8");
  const rows = page.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| attack "));
  const headings = page.split("\n").filter((line) => line.startsWith("## API"));
  expect(headings).toEqual(risks.map(({ id, title }) => `## ${id}: ${title}`));
  expect(rows).toEqual(
    risks.flatMap(({ attacks }) => attacks.map(({ name, attack, defence }) => `| ${attack} | ${defence} | ${name} |`)),
  );
});
