// Takes a screenshot of every page of the console, in light, in dark and at a width of 360 px, on its own demo: node
// scripts/screenshots.mjs <folder> [page …]
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";

const root = resolve(import.meta.dirname, "..");
const [folder = "", ...wanted] = process.argv.slice(2);
if (folder === "") throw new Error("name the folder for the screenshots");
const FILL_MS_MAX = 120_000;
const FORMS = [
  { name: "light", viewport: { width: 1280, height: 900 }, colorScheme: "light" },
  { name: "dark", viewport: { width: 1280, height: 900 }, colorScheme: "dark" },
  { name: "narrow", viewport: { width: 360, height: 780 }, colorScheme: "light", fullPage: true },
];

const pages = JSON.parse(readFileSync(join(root, "web/pages.json"), "utf8"))
  .map(({ path, name }) => ({ path, name: name.toLowerCase() }))
  .filter(({ name }) => wanted.length === 0 || wanted.includes(name));

/** A port that is free now. */
function freePort() {
  return new Promise((found, failed) => {
    const server = createServer();
    server.once("error", failed);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => found(port));
    });
  });
}

async function until(check) {
  const end = performance.now() + FILL_MS_MAX;
  while (performance.now() < end) {
    if (await check().catch(() => false)) return;
    await new Promise((later) => setTimeout(later, 200));
  }
  throw new Error("the demo did not build its data in time");
}

const dataDir = mkdtempSync(join(tmpdir(), "vigil-screenshots-"));
const port = await freePort();
const base = `http://127.0.0.1:${port}`;
const demo = spawn(process.execPath, [join(root, "dist/bin/vigil.js"), "demo"], {
  env: { ...process.env, VIGIL_PORT: String(port), VIGIL_DATA_DIR: dataDir, VIGIL_LOG_LEVEL: "warn" },
  stdio: ["ignore", "ignore", "inherit"],
});
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
try {
  await until(async () => {
    const { states } = await (await fetch(`${base}/api/health?compact=1`)).json();
    return Object.keys(states).join() === "ok";
  });
  const key = readFileSync(join(dataDir, "owner.key"), "utf8").trim();
  mkdirSync(folder, { recursive: true });
  for (const { name: form, fullPage = false, ...options } of FORMS) {
    const context = await browser.newContext(options);
    await context.request.post(`${base}/api/account/v1/sign-in`, { data: { key } });
    const page = await context.newPage();
    for (const { path, name } of pages) {
      await page.goto(base + path);
      // The stream of changes stays open, so the network is never idle.
      await page.locator("main h1").first().waitFor();
      await page.locator(".skeleton").first().waitFor({ state: "detached" });
      if ((await page.locator(".chart").count()) > 0) await page.locator(".chart canvas").first().waitFor();
      await page.screenshot({ path: join(folder, `${name}-${form}.png`), fullPage });
    }
    await context.close();
  }
} finally {
  await browser.close();
  const ended = new Promise((exited) => demo.once("exit", exited));
  demo.kill("SIGTERM");
  await ended;
  rmSync(dataDir, { recursive: true, force: true });
}
