import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, test } from "vitest";
import { quickStart } from "../support/documents/quick-start.js";

/* Follows docs/quick-start.md as a newcomer would: clones the committed state, installs its packages and builds it. */

const MINUTES = 60_000;

const path = quickStart();
beforeAll(async () => {
  const folder = join(mkdtempSync(join(tmpdir(), "vigil-newcomer-")), "vigil");
  const from = `file://${resolve(import.meta.dirname, "../..")}`;
  execFileSync("git", ["clone", "--quiet", "--depth", "1", from, folder], { stdio: "pipe" });
  await path.start(folder, path.first.code);
}, 10 * MINUTES);
afterAll(() => path.close());

test.each(path.steps)("docs/quick-start.md, $name: the step succeeds", async ({ run }) => {
  await run();
});
