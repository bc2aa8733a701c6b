import { type TInteger, type TNumber, type TOptional, Type } from "typebox";

/** An instant, epoch milliseconds UTC. */
export function epochMs(description: string): TInteger {
  return Type.Integer({ format: "int64", description: `${description}; epoch ms` });
}

/** A number in percent; absent if the source published none. */
export function optionalPercent(description: string): TOptional<TNumber> {
  return Type.Optional(Type.Number({ description: `${description}; percent` }));
}
