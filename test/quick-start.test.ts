import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { quickStart } from "./support/documents/quick-start.js";
import { cloneIn } from "./support/documents/service.js";

/*
 * Follows docs/quick-start.md as a newcomer does. Starts a demo instead of running the first block, then runs the other
 * blocks in order, in one terminal.
 */

const path = quickStart();
beforeAll(async () => {
  const folder = await cloneIn(await mkdtemp(join(tmpdir(), "vigil-quick-start-")));
  // The first block also installs Vigil, so it runs unchanged only in test/acceptance/quick-start.test.ts, which clones
  // the repository with Git.
  await path.start(folder, "vigil demo");
}, 300_000);
afterAll(() => path.close());

test("docs/quick-start.md begins with the commands that start a demo", () => {
  expect(path.first.code).toBe("npm ci && npm run demo\n");
});

test.each(path.steps)("docs/quick-start.md, $name: the step succeeds", async ({ run }) => {
  await run();
});
