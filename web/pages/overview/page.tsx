import { useParam } from "../../location.js";
import { DatasetDetails } from "./dataset-details.js";
import { DatasetList } from "./dataset-list.js";
import "./overview.css";

/** The state of all datasets; with `dataset` in the address, the details of that one. */
export default function Overview() {
  const [dataset] = useParam("dataset");
  return dataset === "" ? <DatasetList /> : <DatasetDetails name={dataset} />;
}
