// The built service in a separate process, with two probes: a write that stores one row, and a read whose answer
// differs every time. Settings come from the environment; nothing is ingested. Prints its address when ready.
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { Type } from "typebox";
import { loadConfig } from "../../dist/app/config.js";
import { createLog } from "../../dist/app/log.js";
import { serveHttp } from "../../dist/app/serve.js";
import { openService } from "../../dist/app/service.js";
import { operation } from "../../dist/contract/operation.js";
import { port } from "../../dist/contract/port.js";
import { write } from "../../dist/contract/write.js";
import { provide } from "../../dist/http/ports.js";
import { systemClock } from "../../dist/kit/clock.js";
import { loadServices } from "../../dist/services/registry.js";

const database = port("probe database");

const writeRow = write({
  rpc: "write",
  summary: "Writes one row",
  description: "Writes one row and returns a value that is unique to this execution.",
  access: { scope: "read" },
  repeats: "replayed",
  isTransaction: true,
  uses: { db: database },
  request: Type.Object({ name: Type.String() }),
  response: Type.Object({ name: Type.String(), made: Type.String() }),
  async run({ name }, { ports: { db } }) {
    const made = randomUUID();
    await sql`insert into probe_effect (name, made) values (${name}, ${made})`.execute(db);
    return { body: { name, made } };
  },
});

const read = operation({
  rpc: "read",
  summary: "A different answer each time",
  description: "A different answer at each run.",
  cache: "no-store",
  reads: {},
  query: {},
  response: Type.Object({ made: Type.String() }),
  examples: [{}],
  validUntil: (_query, _snapshots, now) => now,
  run: () => ({ made: randomUUID() }),
});

const services = await loadServices();
const probeWrite = { service: "probe", path: "/api/probe/v1/write", write: writeRow };
const probes = [...services.operations, { service: "probe", path: "/api/probe/v1/read", operation: read }];
const config = loadConfig(process.env, []);
const parts = {
  config,
  services: { ...services, operations: probes, writes: [...services.writes, probeWrite] },
  clock: systemClock,
  log: createLog(config),
};
const service = await openService({ ...parts, kind: "real", dataDir: config.dataDir, gated: true });
await sql`create table if not exists probe_effect (name varchar(80) not null, made varchar(40) not null)`.execute(
  service.database.db,
);
const server = await serveHttp({ ...parts, service, simulated: false, ports: [provide(database, ({ db }) => db)] });
process.stdout.write(`ready ${server.address}\n`);
