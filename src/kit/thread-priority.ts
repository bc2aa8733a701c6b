import { constants, getPriority, setPriority } from "node:os";

/**
 * Lets the other threads of the process go first if there are too few processors for all: raises the niceness of the
 * calling thread by this amount. On systems other than Linux, the change would apply to the whole process, so nothing
 * is done.
 */
export function giveWay(niceness: number): void {
  if (process.platform !== "linux") return;
  setPriority(Math.min(getPriority() + niceness, constants.priority.PRIORITY_LOW));
}
