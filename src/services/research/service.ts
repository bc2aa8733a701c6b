import { serviceGroup } from "../../contract/service-group.js";

export const research = serviceGroup({
  name: "Research",
  position: 29,
  description: "Research papers and technology trends.",
});
