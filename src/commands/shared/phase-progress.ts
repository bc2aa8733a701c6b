import { type ProgressBar, progressBar } from "./progress-bar.js";

/** A progress bar for each phase of long work. */
export interface PhaseProgress {
  show(unit: string, done: number, of: number): void;
  /** Removes the bar. */
  end(): void;
}

/** Shows the progress of phases on standard error, one phase after another. */
export function phaseProgress(): PhaseProgress {
  let shown: { readonly unit: string; readonly bar: ProgressBar } | undefined;
  function end(): void {
    shown?.bar.end();
    shown = undefined;
  }
  return {
    show(unit, done, of) {
      if (shown?.unit !== unit) {
        end();
        shown = { unit, bar: progressBar(unit, process.stderr, process.env) };
      }
      shown.bar.show(done, of);
    },
    end,
  };
}
