import { serviceGroup } from "../../contract/service-group.js";

export const market = serviceGroup({
  name: "Markets",
  position: 15,
  description: "Trades of insiders in the shares of US-listed companies.",
});
