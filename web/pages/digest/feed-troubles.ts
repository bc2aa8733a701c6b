import type { Trouble } from "../../../src/sdk/index.js";
import { vigil } from "../../client.js";

/** The feeds that cannot be read now, by id. */
export async function feedTroubles(): Promise<ReadonlyMap<string, Trouble>> {
  const { data } = await vigil.platform.datasets();
  const troubles = data.datasets.find(({ name }) => name === "news-feeds")?.troubles ?? [];
  return new Map(troubles.map((trouble) => [trouble.request, trouble]));
}
