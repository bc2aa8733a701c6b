import { readFileSync } from "node:fs";
import { ownFile } from "../../kit/own-file.js";

/** A real answer of the demo, shortened to the first items of its lists. */
export interface DemoAnswer {
  /** Query of the call, without the leading `?`. */
  readonly query: string;
  /** Bytes of the whole answer, uncompressed. */
  readonly bytes: number;
  readonly body: unknown;
}

/** Answers by path. */
export type DemoAnswers = Readonly<Record<string, DemoAnswer>>;

/** The answers of the demo, as recorded by `npm run docs`. */
export const demoAnswers: DemoAnswers = JSON.parse(readFileSync(ownFile("../docs/examples.json"), "utf8"));

/** Only the bodies, as examples for the API reference. */
export function exampleBodies(answers: DemoAnswers): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(answers).map(([path, { body }]) => [path, body]));
}
