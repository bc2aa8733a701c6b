import type { Json, ServiceCases } from "../../../contract/testing/service-cases.js";

const CREATE = "/api/watches/v1/create-watch";
const definition = {
  name: "New large earthquakes",
  call: "/api/seismology/v1/list-earthquakes?min_magnitude=6",
  on: "WATCH_ON_NEW_ROWS",
};
const after = { path: CREATE, body: definition };

/** The id of the watch that an earlier create returned. */
const watchIdIn = (earlier: Json): string => (earlier["watch"] as { readonly watchId: string }).watchId;

export const cases: ServiceCases = {
  operations: {},
  datasets: {},
  accountReads: {
    "get-watch": {
      after,
      query: (earlier) => ({ watch_id: watchIdIn(earlier) }),
      answer: { watch: { ...definition, state: "WATCH_STATE_ACTIVE" } },
    },
    "list-watches": { answer: { watches: [], watchLimit: 10_000, nextCursor: "" } },
    "list-watch-firings": { answer: { firings: [], pollState: "WATCH_POLL_STATE_CURRENT" } },
  },
  writes: {
    "create-watch": {
      kind: "write",
      body: () => definition,
      answer: { watch: { ...definition, state: "WATCH_STATE_ACTIVE", quietSeconds: 0, firingCount: 0 } },
    },
    "update-watch": {
      kind: "write",
      after,
      body: ({ earlier }) => ({ watchId: watchIdIn(earlier), definition: { ...definition, name: "Renamed" } }),
      answer: { watch: { name: "Renamed" } },
    },
    "pause-watch": {
      kind: "write",
      after,
      body: ({ earlier }) => ({ watchId: watchIdIn(earlier) }),
      answer: { watch: { state: "WATCH_STATE_PAUSED" } },
    },
    "resume-watch": {
      kind: "write",
      after,
      body: ({ earlier }) => ({ watchId: watchIdIn(earlier) }),
      answer: { watch: { state: "WATCH_STATE_ACTIVE" } },
    },
    "rotate-watch-feed": {
      kind: "write",
      after,
      body: ({ earlier }) => ({ watchId: watchIdIn(earlier) }),
      answer: { watch: { name: definition.name } },
    },
    "delete-watch": {
      kind: "write",
      after,
      body: ({ earlier }) => ({ watchId: watchIdIn(earlier) }),
      answer: {},
    },
    "confirm-watch-email": { kind: "elsewhere", file: "test/watch-mail.test.ts" },
    "stop-watch-email": { kind: "elsewhere", file: "test/watch-mail.test.ts" },
    "test-watch": {
      kind: "write",
      body: () => ({ definition, from: "2026-01-01T00:00:00Z" }),
      answer: { evaluations: 1, firingCount: 0, firings: [], truncated: false },
    },
  },
};
