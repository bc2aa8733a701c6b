import { keyActions } from "./account/key-actions.js";
import type { AccountParts } from "./account/parts.js";
import { planActions } from "./account/plan-actions.js";
import { sessionActions } from "./account/session-actions.js";
import { tokenAction } from "./account/token-action.js";
import type { HttpAction } from "./actions.js";
import { type BatchParts, batchAction } from "./batch.js";

/** Everything of the service itself that takes POST. */
export function serviceActions(account: AccountParts, batch: BatchParts): readonly HttpAction[] {
  return [
    batchAction(batch),
    ...sessionActions(account),
    ...keyActions(account),
    ...planActions(account),
    tokenAction(account),
  ];
}

/**
 * The same for the documents, which read what is declared and run nothing.
 * @public
 */
export function declaredActions(): readonly HttpAction[] {
  return serviceActions({ planEventsSecret: "" } as AccountParts, {} as BatchParts);
}
