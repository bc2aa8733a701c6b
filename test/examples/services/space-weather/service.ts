import { serviceGroup } from "../../../../src/contract/service-group.js";

export const spaceWeather = serviceGroup({
  name: "Space Weather",
  description: "Disturbances of the earth's magnetic field.",
});
