interface Terminal {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export interface ProgressBar {
  show(count: number, of: number): void;
  /** Removes the bar. */
  end(): void;
}

const WIDTH = 30;
const CLEARED = "\r\x1b[K";

/**
 * Creates a one-line terminal progress bar, which is redrawn when its percentage changes. Prints nothing to a file or
 * pipe, or if `CI` or `TERM=dumb` is set. With `NO_COLOR`, the bar has no colour.
 */
export function progressBar(
  unit: string,
  terminal: Terminal,
  env: Readonly<Record<string, string | undefined>>,
): ProgressBar {
  const isShown = terminal.isTTY === true && !env["CI"] && env["TERM"] !== "dumb";
  const [on, off] = env["NO_COLOR"] ? ["", ""] : ["\x1b[32m", "\x1b[39m"];
  let drawn = "";
  return {
    show(count, of) {
      const percent = of === 0 ? 100 : Math.floor((100 * count) / of);
      if (!isShown || drawn === String(percent)) return;
      drawn = String(percent);
      const full = Math.floor((WIDTH * percent) / 100);
      const bar = `${on}${"█".repeat(full)}${off}${"░".repeat(WIDTH - full)}`;
      terminal.write(`${CLEARED}${bar} ${percent} % of ${of} ${unit}`);
    },
    end() {
      if (drawn !== "") terminal.write(CLEARED);
      drawn = "";
    },
  };
}
