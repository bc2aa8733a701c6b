import type { Kysely } from "kysely";
import { type Port, port } from "../../src/contract/port.js";
import type { AnyWrite, RegisteredWrite } from "../../src/contract/write.js";
import type { Database } from "../../src/database/schema.js";
import { type Provider, provide } from "../../src/http/ports.js";

/** Gives a test's write operation the database, within the transaction of the write. */
export const probeDatabase: Port<Kysely<Database>> = port("probe database");

export const probePorts: readonly Provider[] = [provide(probeDatabase, ({ db }) => db)];

/** Declares a test's write operation at `/api/probe/v1/<rpc>`. */
export function probeWrite(write: AnyWrite): RegisteredWrite {
  return { service: "probe", path: `/api/probe/v1/${write.rpc}`, write };
}
