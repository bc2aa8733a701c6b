import { execFile } from "node:child_process";
import { readdirSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { HOUR_MS, MINUTE_MS, SECOND_MS, systemClock } from "../../../src/kit/clock.js";
import { type Random, seededRandom } from "../../../src/kit/random.js";
import type { Building } from "./building.js";
import { count, type Report } from "./report.js";
import type { FaultKind, PlannedFault } from "./schedule.js";
import { type World, whyNoDisk } from "./world.js";

const run = promisify(execFile);

/**
 * Returns the kinds of fault that can occur in a world. If this machine prevents a fault, `missing` has a sentence with
 * the reason.
 */
export function faultsOf(world: Pick<World, "shape" | "hasOwnDisk">): {
  readonly kinds: readonly FaultKind[];
  readonly missing: readonly string[];
} {
  const both: readonly FaultKind[] = ["kill", "build-kill", "storm", "clock"];
  if (world.shape.isDistributed) return { kinds: [...both, "redis", "postgres"], missing: [] };
  if (world.hasOwnDisk) return { kinds: [...both, "torn", "disk"], missing: [] };
  return { kinds: [...both, "torn"], missing: [`the disk is never full, because ${whyNoDisk()}`] };
}

/** Plays a fault from its beginning to its repair. */
export async function playFault(world: World, building: Building, report: Report, fault: PlannedFault): Promise<void> {
  const random = seededRandom(fault.seed);
  count(report, fault.kind);
  switch (fault.kind) {
    case "kill":
      return killed(world, random, async () => systemClock.sleep(fault.lastsMs / 4));
    case "build-kill":
      return building.killNext(random() * fault.lastsMs);
    case "storm":
      world.upstreams.storm(fault.seed);
      await systemClock.sleep(fault.lastsMs);
      return world.upstreams.calm();
    case "clock":
      return jumped(world, random, fault.lastsMs);
    case "torn":
      return killed(world, random, async () => tear(world.dataDir, random, report));
    case "disk":
      return filled(world.dataDir, fault.lastsMs);
    case "redis":
      return lostRedis(world, random, fault.lastsMs);
    case "postgres":
      await world.postgres?.stop();
      await systemClock.sleep(fault.lastsMs / 4);
      return world.postgres?.start();
  }
}

/** Kills one process and does `work` while it is down. */
async function killed({ nodes, builders }: World, random: Random, work: () => Promise<void>): Promise<void> {
  const all = [...nodes, ...builders];
  const node = all[Math.floor(random() * all.length)];
  await node?.kill();
  try {
    await work();
  } finally {
    node?.release();
  }
}

const JUMPS_MS = [-10 * MINUTE_MS, -20 * SECOND_MS, 40 * SECOND_MS, 10 * MINUTE_MS, 2 * HOUR_MS];

async function jumped({ nodes, builders }: World, random: Random, lastsMs: number): Promise<void> {
  const all = [...nodes, ...builders];
  const node = all[Math.floor(random() * all.length)];
  node?.setClock(JUMPS_MS[Math.floor(random() * JUMPS_MS.length)] ?? 0);
  await systemClock.sleep(lastsMs);
  node?.setClock(0);
}

async function lostRedis({ redis }: World, random: Random, lastsMs: number): Promise<void> {
  if (random() < 0.5) {
    redis?.signal("SIGSTOP");
    await systemClock.sleep(lastsMs / 2);
    redis?.signal("SIGCONT");
    return;
  }
  await redis?.kill();
  await systemClock.sleep(lastsMs / 2);
  await redis?.start();
}

/** Fills the disk to its last block for a while. */
async function filled(folder: string, lastsMs: number): Promise<void> {
  const endsAt = performance.now() + lastsMs;
  const files: string[] = [];
  try {
    // The disk is filled again and again, because the service also removes files.
    while (performance.now() < endsAt) {
      const { bavail, bsize } = statfsSync(folder);
      if (bavail > 0) {
        const file = join(folder, `ballast-${files.length}`);
        files.push(file);
        await run("fallocate", ["--length", String(bavail * bsize), file]).catch(() => undefined);
      }
      await systemClock.sleep(SECOND_MS / 5);
    }
  } finally {
    for (const file of files) rmSync(file, { force: true });
  }
}

/**
 * Damages files as a crash of the machine can: appends garbage to SQLite's write-ahead log, and cuts a body short or
 * alters one of its bytes.
 */
function tear(dataDir: string, random: Random, report: Report): void {
  const log = join(dataDir, "vigil.db-wal");
  const garbage = Buffer.from(Array.from({ length: 3_000 }, () => Math.floor(random() * 256)));
  try {
    if (statSync(log).size > 0) {
      writeFileSync(log, garbage, { flag: "a" });
      count(report, "torn logs");
    }
  } catch {
    // There is no log, because SQLite has written it back to the database.
  }
  const folder = join(dataDir, "bodies");
  const names = readdirSync(folder).filter((name) => /^[0-9a-f]{64}$/.test(name));
  const file = names[Math.floor(random() * names.length)];
  if (file === undefined) return;
  const bytes = readFileSync(join(folder, file));
  const at = Math.floor(random() * bytes.length);
  if (random() < 0.5) writeFileSync(join(folder, file), bytes.subarray(0, at));
  else {
    bytes[at] = (bytes[at] ?? 0) ^ 0xff;
    writeFileSync(join(folder, file), bytes);
  }
  count(report, "torn bodies");
}
