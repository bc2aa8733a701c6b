import { constants, getPriority, setPriority } from "node:os";

/**
 * Lets the other threads of the process go first if there are too few processors for all: raises the niceness of the
 * calling thread by this amount. Does nothing on systems other than Linux, where the change would apply to the whole
 * process.
 */
export function giveWay(niceness: number): void {
  if (process.platform !== "linux") return;
  setPriority(Math.min(getPriority() + niceness, constants.priority.PRIORITY_LOW));
}
