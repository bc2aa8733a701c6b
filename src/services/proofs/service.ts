import { serviceGroup } from "../../contract/service-group.js";

export const proofs = serviceGroup({
  name: "Proofs",
  isPlatform: true,
  description: "Proofs that the published generations of datasets were not changed afterwards.",
});
