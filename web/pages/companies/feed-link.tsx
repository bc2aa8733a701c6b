import { useState } from "preact/hooks";
import { vigil } from "../../client.js";
import { ConfirmDialog } from "../../parts/confirm-dialog.js";
import { CopyButton } from "../../parts/copy-button.js";

/** Creates the link to the impact feed for feed readers. */
export function FeedLink() {
  const [path, setPath] = useState<string>();
  const [isAsked, setAsked] = useState(false);
  const rotate = async (): Promise<void> => {
    const { data } = await vigil.companyMonitoring.rotateCompanyEventFeed({});
    setPath(data.feedPath);
  };
  const address = path === undefined ? undefined : new URL(path, location.origin).href;
  return (
    <div class="feed-link">
      <button type="button" onClick={() => setAsked(true)}>
        Impact feed…
      </button>
      {address !== undefined && (
        <div class="card" role="status">
          <p>
            This is the new link to the feed. It is shown only here, and anyone who has it can read the impacts without
            a key.
          </p>
          <p class="row">
            <code>{address}</code>
          </p>
          <p class="row">
            <CopyButton text={address} name="Copy Atom link" />
            <CopyButton text={`${address}&format=json`} name="Copy JSON Feed link" />
          </p>
        </div>
      )}
      {isAsked && (
        <ConfirmDialog
          title="Create a new link for the impact feed?"
          action="Create the link"
          onConfirm={rotate}
          onClose={() => setAsked(false)}
        >
          <p>The feed has the last 50 impact changes. Any previous link stops working at once.</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
