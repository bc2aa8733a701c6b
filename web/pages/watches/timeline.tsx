import type { TestedWatchFiring } from "../../../src/sdk/index.js";
import { instantText } from "../../format.js";
import type { DryRun } from "./run-parts.js";
import { placeOf, ticksOf } from "./timeline-marks.js";
import { firingText, kindText } from "./watch-texts.js";

interface TimelineProps {
  readonly run: DryRun;
  readonly chosen: number | undefined;
  readonly onChoice: (at: number) => void;
}

const MIDDLE = 24;

/** The period of a run, with a mark for each firing. The table below lists the same firings for keyboard users. */
export function Timeline({ run, chosen, onChoice }: TimelineProps) {
  const { from, until, to, firings } = run;
  const percent = (time: string): string => `${placeOf(time, from, until)}%`;
  const label = `${firings.length} firings from ${instantText(from)} to ${instantText(to)} UTC`;
  return (
    <svg class="timeline" width="100%" height="64" role="img" aria-label={label}>
      <line class="rail" x1={percent(from)} x2={percent(until)} y1={MIDDLE} y2={MIDDLE} />
      <line class="evaluated" x1={percent(from)} x2={percent(to)} y1={MIDDLE} y2={MIDDLE} />
      {ticksOf(from, until).map(({ at, text }, place) => (
        <g key={text} class={place === 1 ? "middle" : undefined}>
          <line class="rail" x1={`${at}%`} x2={`${at}%`} y1={MIDDLE - 6} y2={MIDDLE + 6} />
          <text x={`${at}%`} y={58} text-anchor={(["start", "middle", "end"] as const)[place]}>
            {text}
          </text>
        </g>
      ))}
      {firings.map((firing, at) => (
        <Mark
          key={`${firing.firedAt} ${at}`}
          firing={firing}
          x={percent(firing.firedAt)}
          isChosen={chosen === at}
          onChoice={() => onChoice(at)}
        />
      ))}
    </svg>
  );
}

interface MarkProps {
  readonly firing: TestedWatchFiring;
  readonly x: string;
  readonly isChosen: boolean;
  readonly onChoice: () => void;
}

function Mark({ firing, x, isChosen, onChoice }: MarkProps) {
  const { kind, firedAt } = firing;
  const look = kind.replace("WATCH_FIRING_KIND_", "").toLowerCase();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for the pointer; the table offers the same choice with buttons
    <circle class={`firing-mark ${look}${isChosen ? " chosen" : ""}`} cx={x} cy={MIDDLE} r={6} onClick={onChoice}>
      <title>{`${instantText(firedAt)} UTC: ${kindText(kind)}, ${firingText(firing)}`}</title>
    </circle>
  );
}
