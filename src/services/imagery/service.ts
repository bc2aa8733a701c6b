import { serviceGroup } from "../../contract/service-group.js";

export const imagery = serviceGroup({
  name: "Imagery",
  position: 26,
  description: "Satellite imagery.",
});
