import { OperatorError } from "../../kit/operator-error.js";
import { untilInterrupted } from "./until-interrupted.js";

/** Exit code of a command that Ctrl-C has ended, as shells report it. */
const INTERRUPTED = 130;

/**
 * Runs `work`. Ctrl-C aborts its signal. If `work` then fails, throws an `OperatorError` with `sentence`.
 */
export function interruptible<T>(sentence: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return untilInterrupted(async (signal) => {
    try {
      return await work(signal);
    } catch (error) {
      if (signal.aborted) throw new OperatorError(sentence, { exitCode: INTERRUPTED, cause: error });
      throw error;
    }
  });
}
