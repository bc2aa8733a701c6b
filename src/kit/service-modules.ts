import { type ModuleFolder, moduleFolder } from "./module-folder.js";
import { ownFile } from "./own-file.js";

/** The modules of a service that are found by the names of their files. */
export const FOUND_BY_NAME = /^[^/]+\/(?:service|store\/store|(?:operations|writes|simulated)\/[^/]+)\.[jt]s$/;

/**
 * The modules of all services that are found by their names. In the bundle they are a list of imports, which
 * `scripts/build.mjs` puts in the place of this module.
 */
export const serviceModules: ModuleFolder = moduleFolder(ownFile("services/"), FOUND_BY_NAME);
