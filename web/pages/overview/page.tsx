import { useParam } from "../../location.js";
import { DatasetDetails } from "./dataset-details.js";
import { DatasetList } from "./dataset-list.js";
import "./overview.css";

/** The state of all datasets. If the address has a `dataset`, the details of that dataset instead. */
export default function Overview() {
  const [dataset] = useParam("dataset");
  return dataset === "" ? <DatasetList /> : <DatasetDetails name={dataset} />;
}
