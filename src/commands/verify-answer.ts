import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { OperatorError } from "../kit/operator-error.js";
import { helpText } from "./shared/help-text.js";
import { say } from "./shared/output.js";
import { type CheckedAnswer, checkAnswer, targetOf } from "./verify-answer/check-answer.js";
import { type SavedAnswer, savedAnswer, UnusableAnswer } from "./verify-answer/saved-answer.js";

const HELP = helpText({
  examples: [
    ["curl -s $URL/.well-known/vigil-keys.json > keys.json"],
    ['curl -si -H "X-Service-Key: $KEY" "$URL/api/…?signature=1" > answer.http'],
    ["vigil verify-answer answer.http --keys keys.json"],
  ],
  exitCodes: "0 the signature proves the answer; 1 it does not; 2 a file cannot be used",
});

/** Adds `vigil verify-answer`. */
export function addVerifyAnswer(root: Command, run: typeof verifyAnswer = verifyAnswer): void {
  root
    .command("verify-answer")
    .description("check the signature of a saved answer, offline")
    .argument("<file>", "the answer with its headers, as curl -si prints it; - for standard input")
    .requiredOption("--keys <file>", "the saved /.well-known/vigil-keys.json")
    .option("--url <url>", "the requested address, or its path and query; refuse an answer to any other request")
    .option("--json", "as JSON")
    .addHelpText("after", HELP)
    .action((file: string, options: VerifyAnswerOptions) => run(file, options));
}

interface VerifyAnswerOptions {
  readonly keys: string;
  readonly url?: string;
  readonly json?: boolean;
}

const KeySet = Type.Object({
  keys: Type.Array(
    Type.Object({
      kid: Type.String(),
      x: Type.String({ pattern: "^[\\w-]{43}$" }),
      validFrom: Type.Integer(),
      validUntil: Type.Integer(),
    }),
  ),
});

/** Exits with 1 if the signature does not prove the answer, and with 2 if a file cannot be used. */
async function verifyAnswer(file: string, { keys: keysFile, url, json }: VerifyAnswerOptions): Promise<void> {
  const { keys } = keySetIn(keysFile);
  const checked = checkAnswer(answerIn(file), keys, url === undefined ? undefined : targetOf(url));
  say(json ? JSON.stringify(checked, null, 2) : checkText(checked));
  if (!checked.isValid) process.exitCode = 1;
}

/** Formats the result as one line, which is identical to the line that docs/verify_answer.py prints. */
export function checkText(checked: CheckedAnswer): string {
  if (!checked.isValid) return `REJECTED: ${checked.reason}`;
  const { status, target, signedAt, headers } = checked;
  const about = Object.entries(headers).flatMap(([name, value]) => (tellsData(name) ? [`, ${name} ${value}`] : []));
  const at = new Date(signedAt).toISOString().replace(".000", "");
  return `OK: ${target} was answered with ${status} at ${at}${about.join("")}`;
}

function tellsData(name: string): boolean {
  return name.startsWith("x-vigil-") || name === "memento-datetime";
}

function keySetIn(file: string): Static<typeof KeySet> {
  const document = documentIn(file);
  if (Value.Check(KeySet, document)) return document;
  throw unusable(file, "is not a list of keys as in /.well-known/vigil-keys.json");
}

function documentIn(file: string): unknown {
  try {
    return JSON.parse(bytesIn(file).toString());
  } catch (error) {
    if (error instanceof SyntaxError) throw unusable(file, `is not JSON: ${error.message}`);
    throw error;
  }
}

function answerIn(file: string): SavedAnswer {
  try {
    return savedAnswer(bytesIn(file));
  } catch (error) {
    if (error instanceof UnusableAnswer) throw unusable(file, `cannot be read as an answer: ${error.message}`);
    throw error;
  }
}

const STANDARD_INPUT = 0;

function bytesIn(file: string): Buffer {
  try {
    return readFileSync(file === "-" ? STANDARD_INPUT : file);
  } catch (error) {
    throw unusable(file, `cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

function unusable(file: string, problem: string): OperatorError {
  return new OperatorError(`${file} ${problem}`, { exitCode: 2 });
}
