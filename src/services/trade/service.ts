import { serviceGroup } from "../../contract/service-group.js";

export const trade = serviceGroup({
  name: "Trade",
  position: 16,
  description: "Trade flows and restrictions.",
});
