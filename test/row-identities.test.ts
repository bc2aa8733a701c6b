import { expect, test } from "vitest";
import { bodyStore } from "../src/database/bodies.js";
import { identitiesOf } from "../src/snapshots/changes/row-changes.js";
import { snapshotStore } from "../src/snapshots/store.js";
import { startStack } from "./support/stack.js";

/** Parts that are not checked. The simulated UNHCR repeats some pairs of countries; the real one does not. */
const repeated: ReadonlySet<string> = new Set(["displacement population"]);

test("no two rows of a part have the same declared identity", async () => {
  const stack = await startStack({ filled: "all" });
  const store = snapshotStore(stack.service.database, bodyStore(stack.service.database, stack.dataDir, stack.clock));
  const faults: string[] = [];
  for (const generation of await store.newestOfAll()) {
    const identities = identitiesOf(stack.dataset(generation.dataset));
    for (const [part, rows] of Object.entries(await store.records(generation))) {
      if (repeated.has(`${generation.dataset} ${part}`)) continue;
      const fault = faultOf(rows as readonly Readonly<Record<string, unknown>>[], identities[part] ?? []);
      if (fault !== undefined) faults.push(`${generation.dataset} ${part}: ${fault}`);
    }
  }
  await stack.close();
  expect(faults).toEqual([]);
});

/** Finds the first fault of the rows' identities: a row without an identity, or two rows with the same identity. */
function faultOf(rows: readonly Readonly<Record<string, unknown>>[], identity: readonly string[]): string | undefined {
  const keys = new Set<string>();
  for (const row of rows) {
    const values = identity.map((member) => row[member]);
    if (identity.length > 0 && values.every((value) => value === undefined)) {
      return `${JSON.stringify(row).slice(0, 200)} has none of ${identity.join(", ")}`;
    }
    const key = JSON.stringify(values);
    if (keys.has(key)) return `two rows have ${identity.join(", ")} = ${key}`;
    keys.add(key);
  }
  return undefined;
}
