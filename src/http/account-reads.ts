import type { RegisteredAccountRead } from "../contract/account-read.js";
import { failure } from "../contract/failures.js";
import type { Project } from "./data-answer/answer-body.js";
import { type Answer, type Exchange, jsonAnswer } from "./exchange.js";
import { type PortParts, readCall } from "./ports.js";
import { readAccountQuery } from "./query.js";
import { asksForSignature, type SignAnswer } from "./signed-answer.js";

export interface AccountReadParts extends PortParts {
  readonly project: Project;
  /** Identifies the caller that is charged for a projection: an account, a key or an address. */
  readonly workerOf: (exchange: Exchange) => string;
  readonly sign: SignAnswer;
}

/** Answers a read of the caller's account, without a cache. */
export async function accountReadAnswer(
  parts: AccountReadParts,
  exchange: Exchange,
  { read }: RegisteredAccountRead,
): Promise<Answer> {
  const { clock, openPorts } = parts;
  const { principal, search, cors } = exchange;
  if (!principal) throw new Error(`${read.rpc} was reached without a credential`);
  const { values, jmespath, notice, frame } = readAccountQuery(read, search, clock.now());
  const isSigned = asksForSignature(exchange, frame.signature);
  const call = readCall(parts, exchange, principal.actor);
  // The cast is safe, because the query was parsed with the fields of this read.
  const body = await read.run(values as never, { principal, ports: openPorts(read.uses, call) });
  const plain = jsonAnswer(200, body, { ...cors, ...(notice !== undefined && { "X-Vigil-Notice": notice }) });
  const answer = jmespath === undefined ? plain : { ...plain, body: await projected(parts, exchange, jmespath, body) };
  return isSigned ? parts.sign(exchange, frame.signature, answer) : answer;
}

async function projected(
  { project, workerOf }: AccountReadParts,
  exchange: Exchange,
  expression: string,
  body: unknown,
): Promise<Buffer> {
  const signal = exchange.call.signal ?? new AbortController().signal;
  const projection = await project(expression, body, workerOf(exchange), signal);
  if ("error" in projection) throw failure("projection", projection);
  return projection.body;
}
