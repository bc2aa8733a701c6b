// Starts a demo and takes screenshots of every page of the console: in the light colour scheme, in the dark one, 360 px
// wide, and in each state that data and calls can be in. Usage: node scripts/screenshots.mjs <folder> [page …]
// In the state `absent`, the store is empty; in `stale`, it is the demo's store with a clock that is twelve days ahead.
// The other states are simulated in the browser.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";
import { browserPath } from "./browser.mjs";

const root = resolve(import.meta.dirname, "..");
const [folder = "", ...pageNames] = process.argv.slice(2);
if (folder === "") throw new Error("usage: node scripts/screenshots.mjs <folder> [page …]");
const FILL_MS_MAX = 90_000;
const STALE_MS = 12 * 86_400_000;
const DESKTOP = { viewport: { width: 1280, height: 900 }, colorScheme: "light" };
const FORMS = [
  { name: "light", ...DESKTOP },
  { name: "dark", ...DESKTOP, colorScheme: "dark" },
  { name: "narrow", viewport: { width: 360, height: 780 }, colorScheme: "light", fullPage: true },
];
/** A company of the demo. */
const COMPANY = "Harvestline Foods";

const pages = JSON.parse(readFileSync(join(root, "web/pages.json"), "utf8")).map(({ path, name }) => ({
  path,
  name: name.toLowerCase(),
}));
/** Further views of some pages, besides each page's first view. */
const views = [
  { name: "overview-dataset", path: "/?dataset=earthquakes" },
  { name: "world-thing", path: "/world?layers=conflict,earthquakes", press: "n" },
  { name: "series-yields", path: "/series?series=yields" },
  { name: "series-co2", path: "/series?series=co2" },
  { name: "series-ice", path: "/series?series=ice" },
  { name: "digest-story", path: "/digest", open: /^Why this score/ },
  { name: "brief-country", path: "/brief?country=UA" },
  { name: "companies-company", path: "/companies", open: COMPANY },
  { name: "watches-form", path: "/watches?operation=list-earthquakes&params=%7B%7D" },
  { name: "explorer-write", path: "/explorer?operation=create-watch" },
];

/** True if a URL is that of a data call. Excludes get-account: without its answer, a page would show the sign-in. */
const isData = (url) => url.pathname.startsWith("/api/") && !url.pathname.startsWith("/api/account/v1/get-account");
/** States of calls, simulated in the browser. */
const CALL_STATES = [
  { name: "loading", handle: () => {} },
  { name: "failed", handle: (route) => route.abort() },
  { name: "refused", handle: (route) => route.fulfill({ status: 403, json: { error: "Missing scope: read" } }) },
];

const isWanted = ({ name }) => pageNames.length === 0 || pageNames.some((start) => name.startsWith(start));

/** A port that is free now. */
function freePort() {
  return new Promise((resolvePort, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolvePort(port));
    });
  });
}

async function until(check, what) {
  const end = performance.now() + FILL_MS_MAX;
  while (performance.now() < end) {
    if (await check().catch(() => false)) return;
    await new Promise((later) => setTimeout(later, 200));
  }
  throw new Error(`timed out before ${what}`);
}

const running = new Set();

/** Starts a demo with this data folder. `aheadMs` is the time by which its clock is ahead. */
async function startDemo(dataDir, { role = "all", aheadMs = 0 } = {}) {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const clockFile = join(dataDir, "..", `clock-${port}`);
  writeFileSync(clockFile, String(aheadMs));
  const clock = join(root, "test/acceptance/chaos/skewed-clock.mjs");
  const child = spawn(process.execPath, ["--import", clock, join(root, "dist/bin/vigil.js"), "demo", "--role", role], {
    env: {
      ...process.env,
      VIGIL_PORT: String(port),
      VIGIL_DATA_DIR: dataDir,
      VIGIL_LOG_LEVEL: "warn",
      CHAOS_CLOCK_FILE: clockFile,
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  running.add(child);
  await until(async () => (await fetch(`${base}/livez`)).ok, "the demo answered");
  const key = readFileSync(join(dataDir, "owner.key"), "utf8").trim();
  return {
    base,
    key,
    now: () => Date.now() + aheadMs,
    async stop() {
      running.delete(child);
      const ended = new Promise((exited) => child.once("exit", exited));
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Takes the screenshots of these views in one form, such as dark or 360 px wide. */
async function shoot(browser, demo, shown, { name: form, fullPage = false, handle, ...options }) {
  const context = await browser.newContext(options);
  await context.request.post(`${demo.base}/api/account/v1/sign-in`, { data: { key: demo.key } });
  const page = await context.newPage();
  await page.clock.setFixedTime(demo.now());
  if (handle) await page.route(isData, handle);
  for (const { path, name, press, open } of shown.filter(isWanted)) {
    await page.goto(demo.base + path);
    await page.locator("main h1").first().waitFor();
    const waiting = page
      .locator("main .skeleton, main [aria-busy=true]")
      .or(page.getByText(/^reading.*…$/i))
      .or(page.getByText("…", { exact: true }));
    if (!handle) {
      // The stream of changes stays open, so the network is never idle.
      await until(async () => (await waiting.count()) === 0, `${path} had loaded`);
      if ((await page.locator(".chart").count()) > 0) await page.locator(".chart canvas").first().waitFor();
      if (open) await page.getByRole("button", { name: open }).first().click();
      if (press) {
        await page.locator("tbody button").first().waitFor();
        await page.getByRole("application").press(press);
      }
      if (open || press) await until(async () => (await waiting.count()) === 0, `${name} had loaded`);
    } else if (form !== "loading") {
      await until(async () => (await waiting.count()) === 0, `${path} had failed`);
    }
    await page.screenshot({ path: join(folder, `${name}-${form}.png`), fullPage });
  }
  await context.close();
}

const parent = mkdtempSync(join(tmpdir(), "vigil-screenshots-"));
const [filledDir, emptyDir] = [join(parent, "filled"), join(parent, "empty")];
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({
  executablePath: browserPath,
  args: ["--no-sandbox"],
});
try {
  const empty = await startDemo(emptyDir, { role: "api" });
  await shoot(browser, empty, [...pages, ...views.filter(({ press, open }) => !press && !open)], {
    name: "absent",
    ...DESKTOP,
  });
  await empty.stop();
  const demo = await startDemo(filledDir);
  await until(async () => {
    const { states } = await (await fetch(`${demo.base}/api/health?compact=1`)).json();
    return Object.keys(states).join() === "ok";
  }, "the demo had built its data").catch(({ message }) => console.warn(`${message}; the screenshots are incomplete`));
  for (const form of FORMS) await shoot(browser, demo, [...pages, ...views], form);
  for (const state of CALL_STATES) await shoot(browser, demo, pages, { ...state, ...DESKTOP });
  await demo.stop();
  const stale = await startDemo(filledDir, { role: "api", aheadMs: STALE_MS });
  await shoot(browser, stale, [...pages, ...views], { name: "stale", ...DESKTOP });
  await stale.stop();
} finally {
  await browser.close();
  for (const child of running) child.kill("SIGKILL");
  rmSync(parent, { recursive: true, force: true });
}
