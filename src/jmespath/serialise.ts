import type { Steps } from "../kit/loop-turns.js";
import type { Fuel } from "./fuel.js";
import { JsonSink, type SizeLimits } from "./json-sink.js";
import { JsonWriter } from "./json-writer.js";
import { assembledSteps } from "./text.js";

/**
 * Serialises a value as `JSON.stringify` does for plain values. Throws `ProjectionTooLarge` if the text has more bytes
 * than allowed; nothing larger is ever built. Deep values are safe, because nothing recurses. If a part of the value
 * occurs many times, `fuel` limits the work for it.
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
    // If the text is already known to be too large, `ProjectionTooLarge` is more useful than the error for exhausted
    // fuel.
    sink.refuseIfTooLarge();
    throw error;
  }
  return yield* assembledSteps(sink.finish(), fuel);
}
