import { vigil } from "../../client.js";

/** A feed that could not be read, as the dataset of the feeds describes it. */
export interface FeedTrouble {
  readonly request: string;
  readonly state: string;
  /** Epoch ms. */
  readonly since: number;
  readonly error: string | null;
}

/** The feeds that cannot be read now, by id. */
export async function feedTroubles(): Promise<ReadonlyMap<string, FeedTrouble>> {
  const { data } = await vigil.get("/api/datasets");
  const { datasets } = data as {
    readonly datasets: readonly { readonly name: string; readonly troubles?: readonly FeedTrouble[] }[];
  };
  const troubles = datasets.find(({ name }) => name === "news-feeds")?.troubles ?? [];
  return new Map(troubles.map((trouble) => [trouble.request, trouble]));
}
