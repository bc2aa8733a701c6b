import { type DestinationStream, type Logger, pino } from "pino";
import type { Config } from "./config.js";

export type { Logger };

/** The process's log: JSON lines, or text where a person reads along. Never given a secret. */
export function createLog(config: Pick<Config, "logLevel" | "logFormat">): Logger {
  const isText = config.logFormat === "text" || (config.logFormat === "auto" && process.stderr.isTTY === true);
  const options = { level: config.logLevel, base: null };
  return isText ? pino(options, textStream()) : pino(options, pino.destination({ dest: 2, sync: false }));
}

interface Line {
  readonly level: number;
  readonly time: number;
  readonly msg?: string;
  readonly err?: { readonly stack?: string };
  readonly [field: string]: unknown;
}

/** `12:30:01 info  message  name=value …`, one line each, and the stack of an error beneath it. */
function textStream(): DestinationStream {
  return { write: (json) => void process.stderr.write(textLine(JSON.parse(json))) };
}

function textLine({ level, time, msg, err, ...fields }: Line): string {
  const clock = new Date(time).toISOString().slice(11, 19);
  const name = (pino.levels.labels[level] ?? String(level)).padEnd(5);
  const pairs = Object.entries(fields).map(
    ([key, value]) => `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  const stack = err?.stack === undefined ? "" : `\n${err.stack}`;
  return `${[clock, name, msg ?? "", ...pairs].join(" ")}${stack}\n`;
}
