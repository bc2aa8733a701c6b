// Measures the time from opening the console's address until the console can be used. The browser is Chromium, without
// a cache and with the processor slowed to a quarter of its speed. For comparison, a page of the same service that has
// no scripts is measured in the same way. Both times are medians over the rounds.
// The compressed sizes of the files and API answers that the browser loads in a round are reported too. They do not
// include the map, because the overview does not load it. A test checks the gzipped files of every page against the
// same limit of 150 KB (`FILES_KB_MAX`).
import { browserPath, noBrowser } from "../../scripts/browser.mjs";

const SLOWED = 4;
const VIEWPORT = { width: 1280, height: 900 };
/** A long task (50 ms or more) counts as the last one if no other follows within this time. */
const QUIET_MS = 2_000;
/** The limits that the console must meet. */
const USABLE_MS_MAX = 1_000;
const FILES_KB_MAX = 150;

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** Returns the figures of the first load, or `skipped` with the reason if no browser is installed. */
export async function firstLoadRow({ base, key, rounds }) {
  if (noBrowser !== undefined) return { skipped: noBrowser };
  const { chromium } = await import("playwright-core");
  const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"] });
  try {
    const ready = [];
    const plain = [];
    let bytes = { files: 0, answers: 0 };
    for (let round = 0; round < rounds; round += 1) {
      const load = await loaded(browser, base, key, "/", "main table tbody tr");
      ready.push(load.usableMs);
      bytes = load.bytes;
      plain.push((await loaded(browser, base, key, "/docs/concepts", "main h1")).usableMs);
    }
    const [readyMs, plainMs] = [median(ready), median(plain)];
    const [filesKb, answersKb] = [kilobytes(bytes.files), kilobytes(bytes.answers)];
    return {
      readyMs: Math.round(readyMs),
      plainMs: Math.round(plainMs),
      ratio: Number((readyMs / plainMs).toFixed(2)),
      readyMsWorst: Math.round(Math.max(...ready)),
      filesKb,
      answersKb,
      isOver: readyMs > USABLE_MS_MAX || filesKb > FILES_KB_MAX,
    };
  } finally {
    await browser.close();
  }
}

const kilobytes = (bytes) => Number((bytes / 1_000).toFixed(1));

/**
 * Opens a page without any cache. The page is usable once its content has appeared and its last long task has ended.
 */
async function loaded(browser, base, key, path, content) {
  const context = await browser.newContext({ viewport: VIEWPORT });
  const answer = await context.request.post(`${base}/api/account/v1/sign-in`, { data: { key } });
  if (!answer.ok()) throw new Error(`the browser could not sign in: ${answer.status()}`);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWED });
  await devtools.send("Network.enable");
  const kinds = new Map();
  const bytes = { files: 0, answers: 0 };
  devtools.on("Network.responseReceived", ({ requestId, response }) => {
    kinds.set(requestId, new URL(response.url).pathname.startsWith("/api/") ? "answers" : "files");
  });
  devtools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId);
    if (kind) bytes[kind] += encodedDataLength;
  });
  await page.addInitScript(() => {
    globalThis.longTaskEnd = 0;
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) globalThis.longTaskEnd = startTime + duration;
    }).observe({ type: "longtask", buffered: true });
  });
  await page.goto(base + path, { waitUntil: "commit" });
  const usableMs = await page.evaluate(usableAt, [content, QUIET_MS]);
  await context.close();
  return { usableMs, bytes };
}

/** Runs in the page: resolves with the time at which the page is usable, in ms after the start of the navigation. */
function usableAt([content, quietMs]) {
  return new Promise((resolve) => {
    let shownAt;
    const look = () => {
      const now = performance.now();
      if (shownAt === undefined && document.querySelector(content)) shownAt = now;
      const end = Math.max(shownAt ?? Number.POSITIVE_INFINITY, globalThis.longTaskEnd);
      if (now - end > quietMs) resolve(end);
      else requestAnimationFrame(look);
    };
    look();
  });
}
