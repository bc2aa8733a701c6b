import { useEffect, useState } from "preact/hooks";
import { type Land, readLand } from "./map/land.js";

/** The outlines of countries, or the reason why they are missing. */
export function useLand(): { readonly land: Land | undefined; readonly failure: unknown } {
  const [land, setLand] = useState<Land>();
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => {
    readLand().then(setLand, setFailure);
  }, []);
  return { land, failure };
}
