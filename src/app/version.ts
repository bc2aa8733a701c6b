import { readFileSync } from "node:fs";
import { ownFile } from "../kit/own-file.js";

/** This software's version, from its package. */
export const version: string = JSON.parse(readFileSync(ownFile("../package.json"), "utf8")).version;
