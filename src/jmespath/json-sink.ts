import { ProjectionTooLarge } from "./errors.js";
import { refuseIfTooLong } from "./text.js";

export interface SizeLimits {
  /** Maximum size of the stored text, in UTF-8 bytes. */
  readonly bytesMax: number;
  /**
   * Size, in UTF-8 bytes, up to which an oversized text is still counted, so that the message can state its exact size.
   */
  readonly bytesCountedMax: number;
}

const UNLIMITED: SizeLimits = {
  bytesMax: Number.POSITIVE_INFINITY,
  bytesCountedMax: Number.POSITIVE_INFINITY,
};
const CHUNK_CHARS = 8_192;

/** Collects the pieces of a text up to a size in UTF-8 bytes. Beyond that, only counts bytes, up to a second limit. */
export class JsonSink {
  private readonly limits: SizeLimits;
  private readonly chunks: string[] = [];
  private chunk = "";
  private bytes = 0;
  private chars = 0;

  constructor(limits: SizeLimits = UNLIMITED) {
    this.limits = limits;
  }

  add(piece: string): void {
    this.chunk += piece;
    if (this.chunk.length >= CHUNK_CHARS) this.flush();
  }

  /** The pieces of the whole text. If the text is too large, throws `ProjectionTooLarge` with its size. */
  finish(): readonly string[] {
    this.flush();
    this.refuseIfTooLarge();
    return this.chunks;
  }

  /** Throws `ProjectionTooLarge` if the size counted so far already exceeds the limit. */
  refuseIfTooLarge(): void {
    if (this.bytes > this.limits.bytesMax) throw new ProjectionTooLarge(this.bytes, this.limits.bytesMax);
  }

  private flush(): void {
    this.bytes += Buffer.byteLength(this.chunk);
    if (this.bytes <= this.limits.bytesMax) this.keep(this.chunk);
    else this.chunks.length = 0;
    this.chunk = "";
    if (this.bytes > this.limits.bytesCountedMax) this.refuseIfTooLarge();
  }

  private keep(chunk: string): void {
    this.chars += chunk.length;
    refuseIfTooLong(this.chars);
    this.chunks.push(chunk);
  }
}
