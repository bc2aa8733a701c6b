// argv "serve", data folder, port, number of accounts: creates the accounts, runs the service, and reports the CPU time
// and memory of the service.
// argv "write", data folder, "company" or "dataset", ids of accounts: writes changes to the log of impacts on companies
// or to the log of datasets, at a steady rate.
import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { loadConfig } from "../../dist/app/config.js";
import { serveHttp } from "../../dist/app/serve.js";
import { openService } from "../../dist/app/service.js";
import { systemClock as clock } from "../../dist/kit/clock.js";
import { newId } from "../../dist/services/company-monitoring/rules/ids.js";
import { takeTurn } from "../../dist/services/company-monitoring/store/account-turn.js";
import { appendImpact } from "../../dist/services/company-monitoring/store/impact-log.js";
import { companiesIn } from "../../dist/services/company-monitoring/store/tables.js";
import { appendChanges } from "../../dist/services/datasets/store/append-changes.js";
import { datasetsIn } from "../../dist/services/datasets/store/tables.js";
import { loadServices } from "../../dist/services/registry.js";
import { exampleImpact } from "../../scripts/example-event.mjs";

const [role, dataDir, ...rest] = process.argv.slice(2);
const services = await loadServices();
const [port, count] = role === "serve" ? rest : ["0"];
const env = { VIGIL_PORT: port, VIGIL_LIMITS: "enterprise-minute=999999999", VIGIL_CONNECTIONS_PER_ADDRESS: "5000" };
const config = loadConfig(env, []);
const log = pino({ level: "silent" });
const service = await openService({ config, services, log, kind: "real", dataDir, clock, gated: true });
const { db } = service.database;

async function serve() {
  const createdAccounts = await Promise.all(Array.from({ length: Number(count) }, (_, at) => account(`account ${at}`)));
  const server = await serveHttp({ config, service, services, clock, log, simulated: false });
  process.on("message", async (message) => {
    if (message === "close") {
      await server.close();
      await service.close();
      process.exit();
    }
    globalThis.gc?.();
    const { user, system } = process.cpuUsage();
    process.send({ cpuMs: (user + system) / 1_000, rssBytes: process.memoryUsage.rss() });
  });
  process.send({ accounts: createdAccounts.map(({ id }) => id), keys: createdAccounts.map(({ key }) => key) });
}

async function account(name) {
  const by = { actor: "bench" };
  const { id } = await service.access.accounts.create({ name, plan: "enterprise" }, by);
  const scopes = new Set(["read", "company_monitoring:read"]);
  const { key } = await service.access.accounts.createKey(
    { accountId: id, name: "bench", scopes, expiresAt: null },
    by,
  );
  return { id, key };
}

async function write() {
  const [what, accounts = ""] = rest;
  const accountIds = accounts.split(",");
  const append = what === "company" ? (at) => impact(accountIds[at % accountIds.length]) : change;
  // The first change reports every dataset, because all are new to the log.
  const begun = what === "dataset" ? states.length : 0;
  if (begun > 0) await change(0);
  process.on("message", async (message) => {
    if (message === "close") {
      await service.close();
      process.exit();
    }
    const { seconds, perSecond } = message;
    const startedAt = performance.now();
    let written = 0;
    while (written < seconds * perSecond) {
      const due = Math.min(seconds * perSecond, Math.floor(((performance.now() - startedAt) * perSecond) / 1_000));
      while (written < due) {
        await append(written);
        written += 1;
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    process.send({ written });
  });
  process.send({ begun });
}

function impact(accountId) {
  return db.transaction().execute(async (transaction) => {
    const companies = companiesIn(transaction);
    await takeTurn(companies, accountId);
    const now = clock.now();
    const impact = exampleImpact(newId("company", now, randomBytes), now);
    await appendImpact(companies, accountId, { ...impact, impactId: newId("impact", now, randomBytes) }, now);
  });
}

const states = Array.from({ length: 50 }, (_, at) => {
  return { dataset: `dataset-${at}`, state: "ok", generation: 1, contentHash: null, newestAt: null };
});

function change(at) {
  states[at % states.length].generation += 1;
  return db.transaction().execute((transaction) => appendChanges(datasetsIn(transaction), states, clock.now()));
}

await (role === "serve" ? serve() : write());
