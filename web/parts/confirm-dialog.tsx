import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { failureText } from "../reads/failure-text.js";
import { useWrite } from "../writes/write.js";

interface ConfirmDialogProps {
  readonly title: string;
  /** Label of the confirm button. */
  readonly action: string;
  readonly children: ComponentChildren;
  readonly onConfirm: () => Promise<unknown>;
  /**
   * Called once the dialog has closed. By then, the browser has returned the focus to the element that had it before,
   * if that element still exists.
   */
  readonly onClose: (isDone: boolean) => void;
}

/**
 * Asks to confirm an action that cannot be undone. The dialog stays open until the outcome of the action is known. If
 * the action fails, the dialog stays open with the reason.
 */
export function ConfirmDialog({ title, action, children, onConfirm, onClose }: ConfirmDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isDone = useRef(false);
  const id = useId();
  const { isSent, failure, send } = useWrite(onConfirm);
  useEffect(() => dialog.current?.showModal(), []);
  const confirm = async (): Promise<void> => {
    isDone.current = await send();
    if (isDone.current) dialog.current?.close();
  };
  const stayOpen = (event: Event): void => {
    if (isSent) event.preventDefault();
  };
  const closed = (): void => {
    // A page can refuse only one Escape in a row: the next one closes the dialog, which would hide the outcome.
    if (isSent && !isDone.current) dialog.current?.showModal();
    else onClose(isDone.current);
  };
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby={id} onCancel={stayOpen} onClose={closed}>
      <h2 id={id}>{title}</h2>
      {children}
      {failure !== undefined && (
        <p class="notice failed" role="alert">
          {failureText(failure)}
        </p>
      )}
      <div class="row">
        <button type="button" disabled={isSent} onClick={() => dialog.current?.close()}>
          Cancel
        </button>
        <button type="button" class="primary" disabled={isSent} onClick={confirm}>
          {action}
        </button>
      </div>
    </dialog>
  );
}
