const CHUNK_CHARS = 65_536;

/** Collects the text of a body that is written piece by piece, and encodes it as UTF-8 in chunks. */
export class BodyChunks {
  private readonly full: Buffer[] = [];
  private last = "";
  private bytesFull = 0;

  add(text: string): void {
    this.last += text;
    if (this.last.length >= CHUNK_CHARS) this.flush();
  }

  /** Number of bytes so far; may be too low if the text is not ASCII. */
  get bytesMin(): number {
    return this.bytesFull + this.last.length;
  }

  joined(): Buffer {
    this.flush();
    const [only, ...more] = this.full;
    return only !== undefined && more.length === 0 ? only : Buffer.concat(this.full);
  }

  private flush(): void {
    const chunk = Buffer.from(this.last);
    this.full.push(chunk);
    this.bytesFull += chunk.byteLength;
    this.last = "";
  }
}
