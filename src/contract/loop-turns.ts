import type { LoopTurns } from "../kit/loop-turns.js";
import { port } from "./port.js";

/** The turns of the event loop that all sliced work of the process shares. */
export const loopTurns = port<LoopTurns>("turns of the event loop");
