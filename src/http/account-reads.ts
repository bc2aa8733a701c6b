import type { Kysely } from "kysely";
import type { RegisteredAccountRead } from "../contract/account-read.js";
import { failure } from "../contract/failures.js";
import type { QueryField } from "../contract/query-field.js";
import type { Database } from "../database/schema.js";
import type { Clock } from "../kit/clock.js";
import { type Answer, type Exchange, jsonAnswer } from "./exchange.js";
import type { OpenPorts } from "./ports.js";
import { decodedFields } from "./query.js";

export interface AccountReadParts {
  readonly clock: Clock;
  readonly db: Kysely<Database>;
  readonly openPorts: OpenPorts;
  /** The caller's address, as seen through trusted proxies. */
  readonly addressOf: (exchange: Exchange) => string;
}

const noBytes = Buffer.alloc(0);

/** Answers a read of the caller's account, anew for every call. */
export async function accountReadAnswer(
  { clock, db, openPorts, addressOf }: AccountReadParts,
  exchange: Exchange,
  { read }: RegisteredAccountRead,
): Promise<Answer> {
  const { principal, search, cors } = exchange;
  if (!principal) throw new Error(`${read.rpc} was reached without a credential`);
  // Every member of a query is a QueryField by its declaration.
  const fields = Object.entries(read.query as Readonly<Record<string, QueryField<unknown>>>);
  const { values, violations } = decodedFields(fields, new URLSearchParams(search), clock.now());
  if (violations.length > 0) throw failure("validation", { violations });
  const call = { exchange, actor: principal.actor, address: addressOf(exchange), bytes: noBytes, db };
  // The query was read by the fields of this read.
  const body = await read.run(values as never, { principal, ports: openPorts(read.uses, call) });
  return jsonAnswer(200, body, cors);
}
