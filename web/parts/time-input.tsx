import { useEffect, useRef } from "preact/hooks";

interface TimeInputProps {
  readonly id?: string;
  readonly type: "date" | "month" | "datetime-local";
  /** In the form of the type, such as `2026-11-18`; empty for none. */
  readonly value: string;
  readonly min: string;
  readonly max: string;
  /** Called with each complete value within the bounds, and with an empty string when the input is cleared. */
  readonly onValue: (value: string) => void;
}

/** A value is reported after this pause in typing. */
const REST_MS = 600;

/**
 * An input for a day, month or instant. Browsers report a change after each key, when the month may still lack its
 * second digit and the year may be `0202`. Values are therefore reported after a pause in typing, and nothing is
 * written into the input while it has the focus. When the input loses the focus, it shows the page's value again.
 */
export function TimeInput({ id, type, value, min, max, onValue }: TimeInputProps) {
  const input = useRef<HTMLInputElement>(null);
  const latest = useRef(value);
  latest.current = value;
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const tell = (): void => {
    clearTimeout(timer.current);
    timer.current = undefined;
    const { current } = input;
    if (current?.validity.valid && current.value !== latest.current) onValue(current.value);
  };
  const restore = (): void => {
    if (input.current && input.current.value !== latest.current) input.current.value = latest.current;
  };
  useEffect(() => {
    if (document.activeElement !== input.current) restore();
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <input
      ref={input}
      id={id}
      type={type}
      min={min}
      max={max}
      onChange={() => {
        clearTimeout(timer.current);
        timer.current = setTimeout(tell, REST_MS);
      }}
      onBlur={() => {
        if (timer.current !== undefined) tell();
        // Waits until the page has rendered the value that it accepted.
        setTimeout(restore);
      }}
    />
  );
}
