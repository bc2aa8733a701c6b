import { InvalidArgumentError } from "commander";

/** Parses the number of a generation. Throws for any other text. */
export function generationIn(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("a generation is a whole number of at least 1");
}
