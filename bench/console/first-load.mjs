// How soon the console can be used after its address was opened, in Chromium with a processor slowed four times, next to
// a page without scripts that the same service serves.
import { existsSync } from "node:fs";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const SLOWED = 4;
const VIEWPORT = { width: 1280, height: 900 };
/** A page counts as usable when nothing has held its thread for this long. */
const QUIET_MS = 300;

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** The figures of the first load, or the reason why there is no browser. */
export async function firstLoadRow({ base, key, rounds }) {
  if (!existsSync(CHROMIUM)) return { skipped: `no browser at ${CHROMIUM}` };
  const { chromium } = await import("playwright-core");
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  try {
    const ready = [];
    const plain = [];
    let transferred = 0;
    for (let round = 0; round < rounds; round += 1) {
      const load = await loaded(browser, base, key, "/", "main table tbody tr");
      ready.push(load.usableMs);
      transferred = load.bytes;
      plain.push((await loaded(browser, base, key, "/docs/concepts", "main h1")).usableMs);
    }
    const [readyMs, plainMs] = [median(ready), median(plain)];
    return {
      readyMs: Math.round(readyMs),
      plainMs: Math.round(plainMs),
      ratio: Number((readyMs / plainMs).toFixed(2)),
      transferredKb: Number((transferred / 1000).toFixed(1)),
    };
  } finally {
    await browser.close();
  }
}

/** Opens a page without any cache. It is usable at the end of the last long task after its content has appeared. */
async function loaded(browser, base, key, path, content) {
  const context = await browser.newContext({ viewport: VIEWPORT });
  const answer = await context.request.post(`${base}/api/account/v1/sign-in`, { data: { key } });
  if (!answer.ok()) throw new Error(`the browser could not sign in: ${answer.status()}`);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWED });
  await devtools.send("Network.enable");
  const assets = new Set();
  let bytes = 0;
  devtools.on("Network.responseReceived", ({ requestId, response }) => {
    if (!new URL(response.url).pathname.startsWith("/api/")) assets.add(requestId);
  });
  devtools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (assets.has(requestId)) bytes += encodedDataLength;
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

/** Runs in the page: resolves with the time at which it is usable, ms after the navigation began. */
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
