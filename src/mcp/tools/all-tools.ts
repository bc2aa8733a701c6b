import type { Tool } from "../tool.js";
import { batch } from "./batch.js";
import { call } from "./call.js";
import { changes } from "./changes.js";
import { compare } from "./compare.js";
import { datasets } from "./datasets.js";
import { describe } from "./describe.js";
import { find } from "./find.js";
import { history } from "./history.js";
import { write } from "./write.js";

/** The tools in the order in which agents see them. */
export const allTools: readonly Tool[] = [find, describe, call, batch, changes, compare, datasets, history, write];
