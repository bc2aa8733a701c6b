import { type DestinationStream, type Logger, pino } from "pino";
import type { Config } from "./config.js";

export type { Logger };

/**
 * Creates the log of the process. `logFormat` selects readable lines or JSON lines; `auto` selects readable lines in a
 * terminal and JSON lines everywhere else. JSON lines have an ISO time and the name of the level. Nothing is
 * redacted, so callers must not log secrets. `destination` is standard error, except in tests.
 */
export function createLog(config: Pick<Config, "logLevel" | "logFormat">, destination?: DestinationStream): Logger {
  const isText = config.logFormat === "text" || (config.logFormat === "auto" && process.stderr.isTTY === true);
  const options = {
    level: config.logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (level: string) => ({ level }) },
  };
  const out = destination ?? pino.destination({ dest: 2, sync: false });
  return isText ? pino(options, textStream(destination ?? process.stderr)) : pino(options, out);
}

interface Line {
  readonly level: string;
  readonly time: string;
  readonly msg?: string;
  readonly err?: { readonly message?: string; readonly stack?: string };
  readonly [field: string]: unknown;
}

/** Writes each log entry as a line like `12:30:01 info  message  name=value …`. */
function textStream(destination: Pick<DestinationStream, "write">): DestinationStream {
  return { write: (json) => void destination.write(textLine(JSON.parse(json))) };
}

const FAULTS: ReadonlySet<string> = new Set(["error", "fatal"]);

/**
 * Formats a log entry. The stack of an `error` or `fatal` entry follows on its own lines; for other levels, the message
 * of the entry's error is put in parentheses at the end of the line.
 */
function textLine({ level, time, msg, err, ...fields }: Line): string {
  const pairs = Object.entries(fields).map(
    ([key, value]) => `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  const isFault = FAULTS.has(level);
  const reason = err?.message === undefined || isFault ? [] : [`(${err.message})`];
  const stack = err?.stack === undefined || !isFault ? "" : `\n${err.stack}`;
  return `${[time.slice(11, 19), level.padEnd(5), msg ?? "", ...pairs, ...reason].join(" ")}${stack}\n`;
}
