import { useParam } from "../../location.js";
import { DatasetDetails } from "./dataset-details.js";
import { DatasetList } from "./dataset-list.js";
import "./overview.css";

/** Whether the data is good right now; with `dataset` in the address, what is known of that one. */
export default function Overview() {
  const [dataset] = useParam("dataset");
  return dataset === "" ? <DatasetList /> : <DatasetDetails name={dataset} />;
}
