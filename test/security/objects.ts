import { expect } from "vitest";
import type { Attack, Risk } from "./attack.js";
import { ACCOUNT, BATCH, COMPANIES, company, type House, type Reply, WATCHES, WEBHOOKS, watch } from "./house.js";

type IdName = "companyId" | "watchId" | "endpointId" | "keyId" | "sessionId";

/** For each kind of id: makes an id of the right form that belongs to no object. */
const missing: Readonly<Record<IdName, (foreign: string) => string>> = {
  companyId: (id) => `${id.slice(0, -26)}${"0".repeat(26)}`,
  watchId: lastPartZero,
  endpointId: lastPartZero,
  keyId: lastPartZero,
  sessionId: lastPartZero,
};

function lastPartZero(id: string): string {
  const at = id.lastIndexOf("_") + 1;
  return id.slice(0, at) + "0".repeat(id.length - at);
}

/** A call that refers to an object by its id. */
interface ObjectCall {
  readonly path: string;
  readonly id: IdName;
  /** The query of a read. */
  readonly query?: (id: string) => string;
  /** The body of a write. */
  readonly body?: (id: string) => object;
}

const calls: readonly ObjectCall[] = [
  { path: `${COMPANIES}/get-company-coverage`, id: "companyId", query: (id) => `company_id=${id}` },
  {
    path: `${COMPANIES}/update-monitored-company`,
    id: "companyId",
    body: (companyId) => ({ companyId, patch: { name: "Taken" } }),
  },
  {
    path: `${COMPANIES}/set-monitored-company-state`,
    id: "companyId",
    body: (companyId) => ({ companyId, targetLifecycle: "MONITORED_COMPANY_LIFECYCLE_REMOVED" }),
  },
  { path: `${WATCHES}/get-watch`, id: "watchId", query: (id) => `watch_id=${id}` },
  {
    path: `${WATCHES}/test-watch`,
    id: "watchId",
    body: (watchId) => ({ watchId, from: "2026-11-18T00:00:00Z" }),
  },
  {
    path: `${WATCHES}/update-watch`,
    id: "watchId",
    body: (watchId) => ({ watchId, definition: { ...watch, name: "Taken" } }),
  },
  ...["pause-watch", "resume-watch", "rotate-watch-feed", "delete-watch"].map(
    (rpc): ObjectCall => ({ path: `${WATCHES}/${rpc}`, id: "watchId", body: (watchId) => ({ watchId }) }),
  ),
  {
    path: `${WEBHOOKS}/set-webhook-endpoint-state`,
    id: "endpointId",
    body: (endpointId) => ({ endpointId, targetState: "WEBHOOK_ENDPOINT_STATE_PAUSED" }),
  },
  ...["rotate-webhook-secret", "send-test-webhook", "replay-webhook-deliveries", "delete-webhook-endpoint"].map(
    (rpc): ObjectCall => ({ path: `${WEBHOOKS}/${rpc}`, id: "endpointId", body: (endpointId) => ({ endpointId }) }),
  ),
  { path: `${ACCOUNT}/revoke-key`, id: "keyId", body: (keyId) => ({ keyId }) },
  { path: `${ACCOUNT}/end-session`, id: "sessionId", body: (sessionId) => ({ sessionId }) },
];

/** The parts of an answer that could distinguish another account's object from a missing one. */
function distinguishable({ status, body }: Reply, id: string): readonly unknown[] {
  return [status, body.replaceAll(id, "<id>")];
}

async function ask({ send, attacker }: House, { path, query, body }: ObjectCall, id: string): Promise<Reply> {
  const headers = attacker.by;
  return query ? send(`${path}?${query(id)}`, { headers }) : send(path, { headers, body: body?.(id) });
}

/** The victim's objects, as the victim reads them. */
async function possessions({ send, victim: { by, ids } }: House): Promise<readonly string[]> {
  const targets = [
    `${COMPANIES}/list-monitored-companies`,
    `${WATCHES}/get-watch?watch_id=${ids.watchId}`,
    `${WEBHOOKS}/list-webhook-endpoints`,
    `${ACCOUNT}/list-sessions`,
  ];
  const seen: string[] = [];
  for (const target of targets) {
    const { body } = await send(target, { headers: by });
    // Cursors and the time of the answer differ between any two answers.
    seen.push(body.replace(/"(?:snapshot|nextCursor|signature)":.*/s, ""));
  }
  return seen;
}

/** Makes every call about the victim's object. Each answer must be the same as for an object that does not exist. */
async function attackObjects(house: House, id: IdName): Promise<void> {
  const foreign = house.victim.ids[id];
  const absent = missing[id](foreign);
  const before = await possessions(house);
  const attacked = calls.filter((call) => call.id === id);
  expect(attacked.length).toBeGreaterThan(0);
  for (const call of attacked) {
    const reply = await ask(house, call, foreign);
    expect([call.path, reply.status]).toEqual([call.path, 404]);
    expect(distinguishable(reply, foreign)).toEqual(distinguishable(await ask(house, call, absent), absent));
  }
  expect(await possessions(house)).toEqual(before);
}

const sameAsMissing = "Objects are looked up only in the caller's account: the answer is the 404 of a missing object";

function objectAttack(what: string, id: IdName, attack: string): Attack {
  return {
    name: `calls about another account's ${what} get the same answer as for a missing one`,
    attack,
    defence: sameAsMissing,
    run: (house) => attackObjects(house, id),
  };
}

export const objects: Risk = {
  id: "API1",
  title: "Broken object level authorization",
  attacks: [
    objectAttack("company", "companyId", "Read, rename and remove another account's company by its id"),
    objectAttack("watch", "watchId", "Read, change, pause, resume and delete another account's watch by its id"),
    objectAttack(
      "webhook endpoint",
      "endpointId",
      "Pause, test, replay and delete another account's webhook endpoint, and rotate its secret",
    ),
    objectAttack("key", "keyId", "Revoke another account's key by its id"),
    objectAttack("session", "sessionId", "End another account's browser session by its id"),
    {
      name: "every write that takes the id of an object is attacked",
      attack: "Find a write that takes an id and is missing from the attacks above",
      defence: "The attacks are compared with the declared writes",
      async run({ stack }) {
        const names: readonly string[] = ["companyId", "watchId", "endpointId", "keyId", "sessionId"];
        const takesId = ({ properties }: RequestMembers): boolean =>
          names.some((name) => properties?.[name] !== undefined && properties[name].type !== "array");
        const writes = stack.services.writes.filter(({ write }) => takesId(write.request)).map(({ path }) => path);
        expect([...writes].sort()).toEqual(
          calls
            .filter(({ body }) => body)
            .map(({ path }) => path)
            .sort(),
        );
      },
    },
    {
      name: "a call cannot select another account",
      attack: "List another account's keys and create a key for it by naming the account",
      defence: sameAsMissing,
      async run({ send, attacker, victim }) {
        const headers = attacker.by;
        for (const accountId of [victim.accountId, "operator", "acc_00000000000000000000"]) {
          const listed = await send(`${ACCOUNT}/list-keys?account_id=${accountId}`, { headers });
          const created = await send(`${ACCOUNT}/create-key`, { headers, body: { name: "mine", accountId } });
          for (const { status, body } of [listed, created]) {
            expect([status, body]).toEqual([404, '{"error":"No such account"}']);
          }
        }
      },
    },
    {
      name: "lists show no row of another account, whatever the filters",
      attack: "Filter lists by the ids of another account's objects",
      defence: "Every list is read from the caller's account; filters can only narrow it",
      async run({ send, attacker, victim: { ids } }) {
        const headers = attacker.by;
        for (const target of [
          `${COMPANIES}/list-monitored-companies`,
          `${COMPANIES}/list-company-event-impacts?company_id=${ids.companyId}`,
          `${WATCHES}/list-watches`,
          `${WATCHES}/list-watch-firings?watch_id=${ids.watchId}`,
          `${WEBHOOKS}/list-webhook-endpoints`,
          `${WEBHOOKS}/list-webhook-deliveries?endpoint_id=${ids.endpointId}`,
          `${ACCOUNT}/list-sessions`,
        ]) {
          const { status, body } = await send(target, { headers });
          expect([target, status]).toEqual([target, 200]);
          for (const id of Object.values(ids)) expect([target, body.includes(id)]).toEqual([target, false]);
        }
      },
    },
    {
      name: "a cursor of another account is refused like an invalid one",
      attack: "Continue another account's change log with a poll cursor seen in that account's URLs",
      defence: "Cursors are signed and bound to their account",
      async run({ send, attacker, victim }) {
        const impacts = await send(`${COMPANIES}/list-company-event-impacts`, { headers: victim.by });
        const { pollCursor } = JSON.parse(impacts.body).snapshot;
        const changes = (cursor: string) =>
          send(`${COMPANIES}/list-company-event-changes?cursor=${cursor}`, { headers: attacker.by });
        const [foreign, invalid] = [
          await changes(pollCursor),
          await changes(`cmc1.${"A".repeat(40)}.${"A".repeat(43)}`),
        ];
        expect(foreign.status).toBe(400);
        expect([foreign.status, foreign.body]).toEqual([invalid.status, invalid.body]);
      },
    },
    {
      name: "another account's Idempotency-Key starts a separate call",
      attack: "Repeat another account's write with its Idempotency-Key, to read the stored answer",
      defence: "Stored answers are found only by the same caller at the same path",
      async run({ send, attacker, victim }) {
        const body = { company: { ...company, name: "Repeated Ltd" } };
        const repeat = { "idempotency-key": "chosen-by-the-victim" };
        const create = (by: object) =>
          send(`${COMPANIES}/create-monitored-company`, { headers: { ...by, ...repeat }, body });
        const [first, second] = [await create(victim.by), await create(attacker.by)];
        expect([first.status, second.status]).toEqual([first.status, first.status]);
        expect(second.headers["idempotent-replayed"]).toBe("false");
        expect(second.body).not.toContain(JSON.parse(first.body).company.companyId);
      },
    },
    {
      name: "items of a batch have only the access of the batch's caller",
      attack: "Read another account's objects through the items of a batch",
      defence: "Each item goes through the whole pipeline with the credentials of the batch",
      async run({ send, attacker, victim: { accountId, ids } }) {
        const paths = [
          `${COMPANIES}/get-company-coverage?company_id=${ids.companyId}`,
          `${WATCHES}/get-watch?watch_id=${ids.watchId}`,
          `${ACCOUNT}/list-keys?account_id=${accountId}`,
        ];
        const operations = paths.map((path, at) => ({ id: String(at), path }));
        const { body } = await send(BATCH, { headers: attacker.by, body: { operations } });
        expect(JSON.parse(body).results.map(({ status }: { readonly status: number }) => status)).toEqual([
          404, 404, 404,
        ]);
      },
    },
    {
      name: "the secret address of a feed cannot be found by guessing",
      attack: "Guess the token in the address of another account's feed",
      defence:
        "Tokens are signed with a secret key of the store; a wrong token gets the 404 of a missing path, and the number of guesses from one IP address is limited",
      async run({ send, attacker }) {
        const { body } = await send(`${WATCHES}/rotate-watch-feed`, {
          headers: attacker.by,
          body: { watchId: attacker.ids.watchId },
        });
        const { feedPath } = JSON.parse(body).watch;
        expect((await send(feedPath)).status).toBe(200);
        for (const guess of [feedPath.replace(/.{4}$/, "AAAA"), feedPath.replace(/token=.*/, "token=wfd1.AAAA.AAAA")]) {
          expect((await send(guess)).status).toBe(404);
        }
      },
    },
  ],
};

/** The members of the schema of a body. */
interface RequestMembers {
  readonly properties?: Readonly<Record<string, { readonly type?: string }>>;
}
