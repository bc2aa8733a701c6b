import type { Fuel } from "./fuel.js";
import type { JsonSink } from "./json-sink.js";
import { CREATED_CHARS_PER_UNIT, pieceEnd } from "./text.js";
import { type JsonObject, keysOf } from "./values.js";

/**
 * Text that JSON contains unescaped: no quotes, backslashes, control characters or surrogates. Surrogates are excluded,
 * because they may be unpaired.
 */
const PLAIN = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/;
/** Strings longer than this are written in pieces, so that none of them blocks the event loop. */
const PIECE_CHARS = 16_384;
/** Maximum number of quoted keys in the cache. Keys are cached because rows repeat them. */
const KEYS_REMEMBERED_MAX = 1_000;

/** A list, an object or a long string in progress. */
type Open = OpenContainer | OpenString;

interface OpenContainer {
  readonly kind: "container";
  readonly holder: JsonObject | readonly unknown[];
  /** Null for lists. */
  readonly keys: readonly string[] | null;
  readonly size: number;
  next: number;
  /** Separator before the next member; empty before the first. */
  separator: "" | ",";
}

interface OpenString {
  readonly kind: "string";
  readonly text: string;
  next: number;
}

/** Writes a value as JSON text, in small steps. */
export class JsonWriter {
  private readonly sink: JsonSink;
  private readonly fuel: Fuel;
  private readonly open: Open[] = [];
  private readonly quotedKeys = new Map<string, string>();

  constructor(sink: JsonSink, fuel: Fuel) {
    this.sink = sink;
    this.fuel = fuel;
  }

  get done(): boolean {
    return this.open.length === 0;
  }

  /** Writes a scalar or a short string. Starts a list, an object or a long string, which `writeNext` then continues. */
  write(value: unknown): void {
    if (typeof value === "string") this.writeString(value);
    else if (typeof value === "object" && value !== null) this.openContainer(value as OpenContainer["holder"]);
    else this.sink.add(scalar(value));
  }

  /** Writes the next member or piece of the innermost open value, or closes it at its end. */
  writeNext(): void {
    const top = this.open.at(-1);
    if (top === undefined) return;
    if (top.kind === "string") this.writePiece(top);
    else if (top.next < top.size) this.writeMember(top);
    else this.close(top.keys === null ? "]" : "}");
  }

  private writeMember(top: OpenContainer): void {
    const position = top.next++;
    if (top.keys === null) {
      this.sink.add(top.separator);
      this.write((top.holder as readonly unknown[])[position]);
    } else {
      // The entry exists, because `next` is below `size`, the number of keys.
      const key = top.keys[position] as string;
      const value = (top.holder as JsonObject)[key];
      // Like JSON.stringify, drops a member with the value undefined.
      if (value === undefined) return;
      this.sink.add(top.separator + this.quotedKey(key));
      this.write(value);
    }
    top.separator = ",";
  }

  private openContainer(holder: OpenContainer["holder"]): void {
    const keys = Array.isArray(holder) ? null : keysOf(holder as JsonObject, this.fuel);
    const size = keys === null ? (holder as readonly unknown[]).length : keys.length;
    this.sink.add(keys === null ? "[" : "{");
    this.open.push({ kind: "container", holder, keys, size, next: 0, separator: "" });
  }

  private writeString(text: string): void {
    this.fuel.spend(Math.ceil(Math.min(text.length, PIECE_CHARS) / CREATED_CHARS_PER_UNIT));
    if (text.length <= PIECE_CHARS) {
      this.sink.add(quoted(text));
      return;
    }
    this.sink.add('"');
    this.open.push({ kind: "string", text, next: 0 });
  }

  private writePiece(top: OpenString): void {
    if (top.next >= top.text.length) {
      this.close('"');
      return;
    }
    const end = pieceEnd(top.text, top.next, PIECE_CHARS);
    this.fuel.spend(Math.ceil((end - top.next) / CREATED_CHARS_PER_UNIT));
    this.sink.add(quoted(top.text.slice(top.next, end)).slice(1, -1));
    top.next = end;
  }

  private close(bracket: string): void {
    this.open.pop();
    this.sink.add(bracket);
  }

  /** The quoted key with its colon. */
  private quotedKey(key: string): string {
    const cached = this.quotedKeys.get(key);
    if (cached !== undefined) return cached;
    this.fuel.spend(Math.ceil(key.length / CREATED_CHARS_PER_UNIT));
    const text = `${quoted(key)}:`;
    if (this.quotedKeys.size < KEYS_REMEMBERED_MAX) this.quotedKeys.set(key, text);
    return text;
  }
}

/** Returns the JSON of a number, a boolean or null; `null` for values without a JSON form. */
function scalar(value: unknown): string {
  if (typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))) return String(value);
  return "null";
}

function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}
