import { agoText, instantText } from "../../format.js";

interface MomentProps {
  readonly at: number | null | undefined;
  readonly now: number;
  /** Text shown if there is no time. */
  readonly otherwise: string;
}

/** A time, shown relative to now; its tooltip has the instant. */
export function Moment({ at, now, otherwise }: MomentProps) {
  if (at === null || at === undefined) return <span class="quiet">{otherwise}</span>;
  return (
    <time dateTime={new Date(at).toISOString()} title={`${instantText(at)} UTC`}>
      {agoText(at, now)}
    </time>
  );
}
