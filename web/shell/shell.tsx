import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { connection } from "../live.js";
import { useHref, useView } from "../location.js";
import pages from "../pages.json";
import { session } from "../session.js";
import { useStore } from "../store.js";
import { ConnectionSign } from "./connection-sign.js";
import { TimeBar } from "./time-bar.js";

const isSimulated = document.documentElement.dataset["simulated"] === "true";

/** The frame of every page: the kind of data, the navigation, and the instant shown. */
export function Shell({ children }: { readonly children: ComponentChildren }) {
  const who = useStore(session);
  const link = useStore(connection);
  const [isOpen, setOpen] = useState(false);
  const isIn = who.kind === "in";
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="shell-head">
        {isSimulated && (
          <p class="banner">
            <strong>Simulated data.</strong> This is a demo: everything on these pages is invented.
          </p>
        )}
        <div class="shell-bar">
          <a class="brand" href="/">
            <img src="/icon.svg" alt="" width="20" height="20" /> Vigil
          </a>
          <button
            type="button"
            class="menu-button"
            aria-expanded={isOpen}
            aria-controls="pages"
            onClick={() => setOpen(!isOpen)}
          >
            Menu
          </button>
          <span class="spacer" />
          {isIn && <ConnectionSign connection={link} />}
          <a class="plain" href="/docs/guide">
            Documents
          </a>
        </div>
        {isIn && <TimeBar />}
      </header>
      <div class="shell-body">
        <Pages isOpen={isOpen} onChoice={() => setOpen(false)} />
        <main id="main" tabIndex={-1}>
          {children}
        </main>
      </div>
    </>
  );
}

function Pages({ isOpen, onChoice }: { readonly isOpen: boolean; readonly onChoice: () => void }) {
  const { path } = useView();
  const href = useHref();
  return (
    <nav id="pages" class={`pages${isOpen ? " open" : ""}`} aria-label="Pages">
      {pages.map((page) => (
        <a
          key={page.path}
          href={href(page.path)}
          aria-current={page.path === path ? "page" : undefined}
          onClick={onChoice}
        >
          {page.name}
        </a>
      ))}
    </nav>
  );
}
