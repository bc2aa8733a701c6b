import { type ModuleFolder, moduleFolder } from "./module-folder.js";
import { ownFile } from "./own-file.js";

/** Matches the paths, below `services/`, of the modules that are found by the names of their files. */
export const FOUND_BY_NAME = /^[^/]+\/(?:service|store\/store|(?:operations|writes|simulated)\/[^/]+)\.[jt]s$/;

/**
 * The modules of all services, found by name. In the bundle, `scripts/build.mjs` replaces this module with a list of
 * imports.
 */
export const serviceModules: ModuleFolder = moduleFolder(ownFile("services/"), FOUND_BY_NAME);
