import { Type } from "typebox";
import { planKeys, planStates } from "../../access/plans.js";

/** The account records as they travel. Instants are epoch ms. */

const Instant = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description });

export const Account = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    plan: Type.Enum([...planKeys]),
    planState: Type.Enum([...planStates]),
    createdAt: Type.Integer(),
  },
  { title: "Account" },
);

export const KeyCard = Type.Object(
  {
    id: Type.String(),
    accountId: Type.String(),
    name: Type.String(),
    hint: Type.String({ description: "How the key begins" }),
    scopes: Type.Array(Type.String()),
    createdAt: Type.Integer(),
    expiresAt: Instant("Null for never"),
    revokedAt: Instant("Null while in force"),
    lastUsedAt: Instant("To the minute; null before the first use"),
  },
  { title: "KeyCard" },
);
