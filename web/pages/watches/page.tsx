import { useEffect, useState } from "preact/hooks";
import type { WrittenWatch } from "../../../src/sdk/index.js";
import { vigil } from "../../client.js";
import { setParams, useAt, useParam } from "../../location.js";
import { useChangeLog } from "../../reads/change-log.js";
import { useRead } from "../../reads/read.js";
import { draftOf } from "./draft.js";
import { FiringList } from "./firing-list.js";
import { WatchForm } from "./watch-form.js";
import { WatchList } from "./watch-list.js";
import { WatchView } from "./watch-view.js";
import "./watches.css";

const EVERY_MS = 30_000;
const PAGE_SIZE = 100;

export default function Watches() {
  const at = useAt();
  const [operation] = useParam("operation");
  const [params] = useParam("params");
  const [watchId, setWatch] = useParam("watch");
  const [isOpen, setOpen] = useState(operation !== "");
  useEffect(() => {
    if (operation !== "") setOpen(true);
  }, [operation, params]);
  const log = useChangeLog("stream-watch-firings", {});
  const options = { hasPast: false, isLive: false, everyMs: EVERY_MS, allPages: true };
  const read = useRead("list-watches", { pageSize: PAGE_SIZE }, options);
  useEffect(() => {
    if (log.version > 0) read.again();
  }, [log.version, read.again]);
  const watches = read.kind === "ready" ? read.answer.data.watches : [];
  const watch = watches.find((candidate) => candidate.watchId === watchId);
  const close = (): void => {
    setOpen(false);
    setParams({ operation: undefined, params: undefined });
  };
  const showCreated = ({ watchId: id }: WrittenWatch): void => {
    setOpen(false);
    setParams({ operation: undefined, params: undefined, watch: id });
    read.again();
  };
  return (
    <>
      <header class="page-head">
        <h1>Watches</h1>
        <p class="quiet">Calls and conditions that the service evaluates whenever their data changes</p>
        <span class="spacer" />
        {!isOpen && (
          <button type="button" class="primary" onClick={() => setOpen(true)}>
            New watch
          </button>
        )}
      </header>
      {at !== undefined && (
        <p class="notice">
          This page always shows the watches as they are now. To look back, test a watch against the past.
        </p>
      )}
      {isOpen && (
        <WatchForm
          key={`${operation} ${params}`}
          title="New watch"
          action="Create watch"
          initial={draftOf(operation, params)}
          onSend={async (definition) => (await vigil.watches.createWatch(definition)).data.watch}
          onSent={showCreated}
          onClose={close}
        />
      )}
      <WatchList read={read} chosen={watchId} onChoice={setWatch} />
      {watch && <WatchView key={watch.watchId} watch={watch} onChange={read.again} onClose={() => setWatch("")} />}
      <FiringList log={log} watch={watch} />
    </>
  );
}
