import type { Steps } from "../kit/loop-turns.js";
import type { Fuel } from "./fuel.js";
import { JsonSink, type SizeLimits } from "./json-sink.js";
import { JsonWriter } from "./json-writer.js";
import { assembledSteps } from "./text.js";

/**
 * The JSON text of a value, the same as `JSON.stringify` gives for plain values. Throws `ProjectionTooLarge` when it
 * has more bytes than allowed; nothing larger is ever built. Neither depth nor shared parts do harm: nothing recurses,
 * and the budget ends what shared parts multiply.
 */
export function* serialiseSteps(value: unknown, fuel: Fuel, limits?: SizeLimits): Steps<string> {
  const sink = new JsonSink(limits);
  const writer = new JsonWriter(sink, fuel);
  try {
    writer.write(value);
    while (!writer.done) {
      if (fuel.spend(1)) yield;
      writer.writeNext();
    }
  } catch (error) {
    // That it is too large is known by then, and the more useful of the two answers.
    sink.refuseIfTooLarge();
    throw error;
  }
  return yield* assembledSteps(sink.finish(), fuel);
}
