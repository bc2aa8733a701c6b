import type { ComponentChildren } from "preact";
import type { Answer, DataState } from "../../src/sdk/index.js";
import { useHref } from "../location.js";
import { readFailureText } from "../reads/failure-text.js";
import type { Read } from "../reads/read.js";
import { AnswerFacts } from "./answer-facts.js";
import { CallMenu } from "./call-menu.js";
import { STATE_TEXTS, StateBadge } from "./state-badge.js";

interface ReadFrameProps<Data> {
  readonly read: Read<Data>;
  readonly title: string;
  /** Heading level; 2 is below the page title. */
  readonly level?: 2 | 3;
  /** If the data is empty, this text replaces the children. It is omitted if the state is `absent` or `unreadable`. */
  readonly empty?: { readonly when: (data: Data) => boolean; readonly text: string } | undefined;
  /** False for calls that a watch cannot make: projections, and calls with a daily quota. Default true. */
  readonly canWatch?: boolean;
  /** Filters and similar controls, beside the title. */
  readonly tools?: ComponentChildren;
  readonly children: (data: Data, answer: Answer<Data>) => ComponentChildren;
}

/**
 * A read on a page: its title, the state of its data, a menu to copy its call, and its content. Loading, failed,
 * missing and empty reads look different from each other.
 */
export function ReadFrame<Data>({
  read,
  title,
  level = 2,
  empty,
  canWatch = true,
  tools,
  children,
}: ReadFrameProps<Data>) {
  const Title = `h${level}` as const;
  const answer = read.kind === "ready" ? read.answer : undefined;
  return (
    <section class="card read" aria-busy={read.kind === "loading"}>
      <header class="read-head">
        <Title>{title}</Title>
        {answer?.state !== undefined && <StateBadge state={answer.state} />}
        <span class="spacer" />
        {tools}
        {canWatch && <WatchLink read={read} />}
        <CallMenu call={read.call} />
      </header>
      <Content read={read} empty={empty}>
        {children}
      </Content>
      {answer && <AnswerFacts answer={answer} call={read.call} />}
    </section>
  );
}

function Content<Data>({ read, empty, children }: Pick<ReadFrameProps<Data>, "read" | "empty" | "children">) {
  if (read.kind === "loading") return <div class="skeleton" role="status" aria-label="Loading" />;
  if (read.kind === "failed") {
    return (
      <p class="notice failed" role="alert">
        {readFailureText(read.failure, read)}{" "}
        <button type="button" onClick={read.again}>
          Try again
        </button>
      </p>
    );
  }
  const { answer, failure } = read;
  const { data, state } = answer;
  return (
    <>
      {failure !== undefined && (
        <p class="notice stale" role="status">
          This could not be read again, so it may be out of date: {readFailureText(failure, read)}
        </p>
      )}
      {state !== undefined && state !== "ok" && <p class={`notice ${state}`}>{STATE_TEXTS[state]}.</p>}
      {answer.notice !== undefined && <p class="notice partial">{answer.notice}</p>}
      {empty?.when(data) ? isKnown(state) && <p class="notice empty">{empty.text}</p> : children(data, answer)}
    </>
  );
}

/** False if an answer without rows says nothing about the data: then only the state is shown. */
function isKnown(state: DataState | undefined): boolean {
  return state !== "absent" && state !== "unreadable";
}

/** A link to the form for a watch of this call. Only answers from datasets can be watched. */
export function WatchLink<Data>({ read }: { readonly read: Read<Data> }) {
  const href = useHref();
  if (read.kind !== "ready" || read.answer.state === undefined) return null;
  const { asOf: _, ...params } = read.call.params;
  return (
    <a
      class="plain"
      href={href("/watches", { operation: read.call.name, params: JSON.stringify(params) })}
      title="Notify me when this changes"
    >
      Watch
    </a>
  );
}
