import type { Static, TSchema } from "typebox";
import { Type } from "typebox";
import type { LoopTurns } from "../kit/loop-turns.js";
import type { Caller } from "./caller.js";
import type { Catalogue } from "./catalogue.js";

/** The result of a tool: JSON text within the byte budget of the call. */
export interface ToolResult {
  readonly text: string;
  readonly isError?: true;
}

export interface ToolContext {
  readonly call: Caller;
  readonly catalogue: Catalogue;
  /** Runs long work in slices, so that it does not hold the event loop. */
  readonly turns: LoopTurns;
}

export interface Tool<Input extends TSchema = TSchema> {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  /** True if a call changes nothing. */
  readonly isReadOnly: boolean;
  run(input: Static<Input>, context: ToolContext): ToolResult | Promise<ToolResult>;
}

/** Declares a tool; the types tie its input to `run`. */
export function tool<Input extends TSchema>(definition: Tool<Input>): Tool<Input> {
  return definition;
}

/** An argument that the service cannot use. The message describes a valid value. */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure";
}

export const BYTES_DEFAULT = 8_000;
const BYTES = { minimum: 2_000, maximum: 100_000 };

/** The arguments that limit and continue an answer. */
export const budgetMembers = {
  max_bytes: Type.Optional(Type.Integer({ ...BYTES, default: BYTES_DEFAULT })),
  rest: Type.Optional(Type.String({ maxLength: 64, description: "`cut.rest`, to continue" })),
};

/** The arguments that describe a call: the operation, its query parameters and a projection. */
export const callMembers = {
  operation: Type.String({ maxLength: 200, description: "name, as in find" }),
  params: Type.Optional(Type.Unsafe<object>({ type: "object", description: "query parameters" })),
  jmespath: Type.Optional(Type.String({ maxLength: 1_024 })),
};

/** Builds the schema of a tool's arguments. The schema rejects any argument that is not declared. */
export function argumentsOf<const Members extends Readonly<Record<string, TSchema>>>(members: Members) {
  return Type.Object(members, { additionalProperties: false });
}
