import { serviceGroup } from "../../contract/service-group.js";

export const conflict = serviceGroup({
  name: "Conflicts",
  position: 1,
  description: "Armed conflict events, organized violence, and humanitarian conflict summaries by country.",
});
