import { serviceGroup } from "../../contract/service-group.js";

export const consumerPrices = serviceGroup({
  name: "Consumer Prices",
  position: 18,
  description: "Consumer prices by country and basket.",
});
