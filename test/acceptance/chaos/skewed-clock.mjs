// This module is preloaded into a process of the service. It adds the milliseconds in the file CHAOS_CLOCK_FILE to the
// machine's clock and keeps rereading the file, so that a change of the file makes the clock of the running node jump.
import { readFileSync } from "node:fs";

const FOLLOWED_EVERY_MS = 100;
const file = process.env.CHAOS_CLOCK_FILE;
const machineNow = Date.now;
let aheadMs = 0;

function follow() {
  try {
    aheadMs = Number(readFileSync(file, "utf8")) || 0;
  } catch {
    // The file is being replaced at this moment, or the test has ended and its files are being removed.
  }
}

if (file) {
  follow();
  Date.now = () => machineNow() + aheadMs;
  setInterval(follow, FOLLOWED_EVERY_MS).unref();
}
