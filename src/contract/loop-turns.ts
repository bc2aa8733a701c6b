import type { LoopTurns } from "../kit/loop-turns.js";
import { port } from "./port.js";

/** The one `LoopTurns` of the process. All work that is cut into slices shares it. */
export const loopTurns = port<LoopTurns>("turns of the event loop");
