import { agoText, instantText } from "../../format.js";

interface MomentProps {
  readonly at: number | null | undefined;
  readonly now: number;
  /** Said if there is no time. */
  readonly otherwise: string;
}

/** A time as its distance from now, with the instant itself on it. */
export function Moment({ at, now, otherwise }: MomentProps) {
  if (at === null || at === undefined) return <span class="quiet">{otherwise}</span>;
  return (
    <time dateTime={new Date(at).toISOString()} title={`${instantText(at)} UTC`}>
      {agoText(at, now)}
    </time>
  );
}
