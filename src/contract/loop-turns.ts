import type { LoopTurns } from "../kit/loop-turns.js";
import { port } from "./port.js";

/** The one `LoopTurns` of the process. It divides the event loop among all work that is cut into slices. */
export const loopTurns = port<LoopTurns>("turns of the event loop");
