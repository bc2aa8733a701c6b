// Runs the service in a separate process, with two accounts whose change logs differ in length. Sends their keys and
// poll cursors to its parent. argv: data folder, port.
import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { pino } from "pino";
import { loadConfig } from "../../dist/app/config.js";
import { serveHttp } from "../../dist/app/serve.js";
import { openService } from "../../dist/app/service.js";
import { systemClock } from "../../dist/kit/clock.js";
import { companyCursors } from "../../dist/services/company-monitoring/changes/cursors.js";
import { pollUse } from "../../dist/services/company-monitoring/changes/page-at-boundary.js";
import { newId } from "../../dist/services/company-monitoring/rules/ids.js";
import { cursorRing } from "../../dist/services/company-monitoring/store/cursor-ring.js";
import { loadServices } from "../../dist/services/registry.js";
import { exampleImpact } from "../../scripts/example-event.mjs";

const [dataDir, port] = process.argv.slice(2);
const LIMITS = ["enterprise-minute", "company-create", "company-update", "company-state", "company-import"];
const env = { VIGIL_PORT: port, VIGIL_LIMITS: LIMITS.map((name) => `${name}=999999999`).join() };
const config = loadConfig(env, []);
const log = pino({ level: "silent" });
const [services, clock] = [await loadServices(), systemClock];
const service = await openService({ config, services, log, kind: "real", dataDir, clock, gated: true });
const { db } = service.database;
const by = { actor: "bench" };

/** An impact without `impactId`, which differs in every row, and without `isCurrent`, which each poll computes. */
const {
  impactId: _id,
  isCurrent: _isCurrent,
  ...impact
} = exampleImpact(newId("company", clock.now(), randomBytes), clock.now());

/**
 * Creates an account with the given number of changes in its log: a tenth are changes of companies, and the others are
 * changes of impacts.
 */
async function accountWith(changes) {
  const account = await service.access.accounts.create({ name: `${changes} changes`, plan: "enterprise" }, by);
  const scopes = new Set(["company_monitoring:read", "company_monitoring:write"]);
  const keyOptions = { accountId: account.id, name: "bench", scopes, expiresAt: null };
  const { key } = await service.access.accounts.createKey(keyOptions, by);
  const rows = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${changes})`;
  const id = sql`'cm_impact_' || substr('00000000000000000000000000' || i, -26)`;
  await db.transaction().execute(async (transaction) => {
    await sql`
      insert into company_account (account_id, position, generation, company_count, oldest_position, updated_at)
      values (${account.id}, ${changes}, ${Math.floor(changes / 10)}, 0, 1, 0)`.execute(transaction);
    await sql`
      insert into company_change (account_id, company_id, position, kind, impact_id, changed_at)
      ${rows} select ${account.id}, ${impact.companyId}, i, case when i % 10 = 0 then 'company' else 'impact' end, ${id}, 0
      from n`.execute(transaction);
    await sql`
      insert into company_impact (account_id, company_id, impact_id, visible_from, event_id, direction, lifecycle, body)
      ${rows} select ${account.id}, ${impact.companyId}, ${id}, i, ${impact.eventId}, 'negative', 'admitted',
        '{"impactId":"' || ${id} || '",' || ${JSON.stringify(impact).slice(1)}
      from n where i % 10 <> 0`.execute(transaction);
  });
  const ring = cursorRing(service.storeParts);
  const cursors = companyCursors({ accountId: account.id, ring, now: clock.now, onRefused: () => undefined });
  const cursorAt = (watermark) =>
    cursors.sign(pollUse, {
      snapshotGeneration: Math.floor(changes / 10),
      snapshotAsOf: clock.now(),
      watermark,
    });
  const middle = Math.floor(changes / 2);
  const offsets = Array.from({ length: 200 }, (_, at) => middle + at);
  return { key, end: await cursorAt(changes), middles: await Promise.all(offsets.map(cursorAt)) };
}

const [few, many] = [await accountWith(1_000), await accountWith(1_000_000)];
const server = await serveHttp({ config, service, services, clock, log, simulated: false });
process.on("message", async () => {
  await server.close();
  await service.close();
  process.exit();
});
process.send({ few, many });
