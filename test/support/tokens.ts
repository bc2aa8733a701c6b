import { countTokens as inCl100k } from "gpt-tokenizer/encoding/cl100k_base";
import { countTokens as inO200k } from "gpt-tokenizer/encoding/o200k_base";

/** The number of tokens in a text: the higher count of two public encodings. */
export function tokensIn(text: string): number {
  return Math.max(inCl100k(text), inO200k(text));
}
