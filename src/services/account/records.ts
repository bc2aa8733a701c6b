import { Type } from "typebox";
import { planKeys, planStates } from "../../contract/access/plans.js";

/** The served account records. Instants are epoch ms. */

/** Accounts created by the operator have ids of at most 128 characters; ids from a billing system may be longer. */
const ACCOUNT_ID_CHARS_MAX = 200;

const Instant = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description });

export const Account = Type.Object(
  {
    id: Type.String({ description: "Id of the account" }),
    name: Type.String({ description: "Display name" }),
    plan: Type.Enum([...planKeys], { description: "Plan of the account" }),
    planState: Type.Enum([...planStates], { description: "State of the plan" }),
    createdAt: Type.Integer({ description: "Epoch ms" }),
  },
  { title: "Account", description: "An account." },
);

export const KeyCard = Type.Object(
  {
    id: Type.String({ description: "Id of the key" }),
    accountId: Type.String({ description: "Account that the key belongs to" }),
    name: Type.String({ description: "Name to recognise the key by" }),
    hint: Type.String({ description: "First characters of the key" }),
    scopes: Type.Array(Type.String(), { description: "Scopes of the key" }),
    createdAt: Type.Integer({ description: "Epoch ms" }),
    expiresAt: Instant("Epoch ms; null if the key never expires"),
    revokedAt: Instant("Epoch ms; null if the key was not revoked"),
    lastUsedAt: Instant("Time of the last use, epoch ms, to the minute; null before the first use"),
  },
  { title: "KeyCard", description: "Everything about a key except the key itself." },
);

export const SessionCard = Type.Object(
  {
    id: Type.String({ description: "Id of the session" }),
    keyId: Type.String({ description: "Key with which the session was opened" }),
    keyName: Type.String({ description: "Name of that key" }),
    address: Type.Union([Type.String(), Type.Null()], {
      description: "Network address of the sign-in; null for a session from before addresses were stored",
    }),
    createdAt: Type.Integer({ description: "Epoch ms" }),
    expiresAt: Type.Integer({ description: "Epoch ms; a session also ends with its key" }),
    isCurrent: Type.Boolean({ description: "True for the session that this call was made with" }),
  },
  { title: "SessionCard", description: "Everything about a browser session except its token." },
);

export const AccountResponse = Type.Object({ account: Account }, { title: "AccountResponse" });

/** The body member that names another account. */
export const OtherAccountId = Type.Optional(
  Type.String({ maxLength: ACCOUNT_ID_CHARS_MAX, description: "Id of another account; operator only" }),
);

/** The members of a body that changes a plan. */
export const planChange = {
  accountId: Type.String({ maxLength: ACCOUNT_ID_CHARS_MAX, description: "Account whose plan changes" }),
  plan: Type.Enum([...planKeys], { description: "The new plan" }),
  state: Type.Enum([...planStates], { description: "State of the new plan" }),
};
