import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useView } from "./location.js";
import pages from "./pages.json";
import { failureText } from "./reads/failure-text.js";
import { session, startSession } from "./session.js";
import { Shell } from "./shell/shell.js";
import { SignIn } from "./shell/sign-in.js";
import { useStore } from "./store.js";

/** Page modules, each loaded when its page is first opened. */
const modules = import.meta.glob<{ readonly default: ComponentType }>("./pages/*/page.tsx");

/** The file of a page's module. The folder of a page is named after its path. */
const moduleOf = (path: string): string => `./pages/${path === "/" ? "overview" : path.slice(1)}/page.tsx`;

/** The console. `link` is the secret of the one-time link that opened it; undefined if it was opened without one. */
export function App({ link }: { readonly link: string | undefined }) {
  const { path } = useView();
  const who = useStore(session);
  const { kind } = who;
  const [failure, setFailure] = useState<unknown>();
  const page = pages.find((candidate) => candidate.path === path);
  useEffect(() => {
    startSession(link).catch(setFailure);
  }, [link]);
  useEffect(() => {
    const name = kind === "out" ? "Sign in" : page?.name;
    document.title = name === undefined ? "Vigil" : `${name} · Vigil`;
  }, [page, kind]);
  return (
    <Shell>
      {who.kind === "out" && <SignIn failure={who.failure} />}
      {kind === "unknown" && failure !== undefined && (
        <p class="notice failed" role="alert">
          {failureText(failure)}{" "}
          <button type="button" onClick={() => location.reload()}>
            Try again
          </button>
        </p>
      )}
      {kind === "in" && (page ? <LoadedPage key={path} path={path} /> : <p class="notice">There is no such page.</p>)}
    </Shell>
  );
}

/** Loads the module of a page and shows it. */
function LoadedPage({ path }: { readonly path: string }) {
  const [Page, setPage] = useState<ComponentType>();
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => {
    const load = modules[moduleOf(path)];
    if (!load) throw new Error(`there is no module for the page ${path}`);
    load().then((loaded) => setPage(() => loaded.default), setFailure);
  }, [path]);
  if (failure !== undefined) {
    return (
      <p class="notice failed" role="alert">
        The page could not be loaded. The service may have been updated.{" "}
        <button type="button" onClick={() => location.reload()}>
          Reload the page
        </button>
      </p>
    );
  }
  return Page ? <Page /> : <div class="skeleton" role="status" aria-label="Loading the page" />;
}
