import { serviceGroup } from "../../contract/service-group.js";

export const seismology = serviceGroup({
  name: "Seismology",
  position: 9,
  description: "Earthquakes of magnitude 4.5 and more in the last seven days.",
});
