import { createVigil } from "../src/sdk/index.js";

/** The client of the service that served this page. The browser sends the session cookie. */
export const vigil = createVigil({ url: location.origin, retriesMax: 1, waitMsMax: 5_000 });
