import { serviceGroup } from "../../contract/service-group.js";

export const displacement = serviceGroup({
  name: "Displacement",
  position: 5,
  description: "Refugees, asylum seekers and internally displaced people by country, with the largest flows.",
});
