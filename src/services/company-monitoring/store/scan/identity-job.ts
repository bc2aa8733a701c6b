import { storeJob } from "../../../../database/service-store.js";
import { SECOND_MS } from "../../../../kit/clock.js";
import { listedCompanies } from "../../../market/datasets/listed-companies.js";
import { gleifRegister } from "../../identity/registers/gleif-register.js";
import { secRegister } from "../../identity/registers/sec-register.js";
import { leiRecords } from "../../sources/gleif.js";
import { secFiler } from "../../sources/sec-filers.js";
import { identityRound } from "./identity-round.js";

/**
 * Looks up companies in public registers. The answers of a register are reused for up to a day, or up to a week longer
 * while the register cannot be read. The requests to a register are spaced in time.
 */
export const identityJob = storeJob({
  name: "company identity",
  everyMs: 20 * SECOND_MS,
  reads: { listed: listedCompanies },
  fetches: [leiRecords, secFiler],
  async run(parts, { snapshots, observe, signal }) {
    const registers = [
      gleifRegister((query) => observe(leiRecords, query)),
      secRegister(snapshots.listed, (query) => observe(secFiler, query)),
    ];
    await identityRound(parts, { registers, signal });
  },
});
