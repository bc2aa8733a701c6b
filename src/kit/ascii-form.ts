const DIGIT_ZERO = 48;
/** Numbers below this are divided as 32-bit integers. */
const SHORT_MAX = 1_000_000_000;
const SHORT_DIGITS = 9;

/** A whole number in a form: its position, its width, and its current value. */
interface Field {
  readonly from: number;
  readonly digitsCount: number;
  value: number;
}

/**
 * ASCII text in which only whole numbers change. The whole text is written once; after that, only the digits of changed
 * numbers are rewritten. Joining strings for each text would take several times as long, even for a few lines, because
 * the engine joins them piece by piece when the text is sent.
 */
export class AsciiForm {
  private readonly pieces: readonly string[];
  private bytes: Buffer;
  private fields: readonly Field[] = [];

  /** `pieces` are the parts of the text around the numbers, so there is one more piece than there are numbers. */
  constructor(pieces: readonly string[]) {
    this.pieces = pieces;
    // The final text of a form without numbers. Any other form is written when it is first filled.
    this.bytes = Buffer.from(pieces.join(""), "latin1");
  }

  /** The text with these numbers, each from 0 to `Number.MAX_SAFE_INTEGER`. */
  filled(numbers: readonly number[]): string {
    const { fields } = this;
    for (let at = 0; at < numbers.length; at += 1) {
      const number = numbers[at] as number;
      const field = fields[at];
      if (field?.value === number) continue;
      if (field === undefined || field.digitsCount !== digitsCountOf(number)) {
        this.write(numbers);
        break;
      }
      field.value = number;
      writeDigits(this.bytes, field, number);
    }
    return this.bytes.toString("latin1");
  }

  /** Writes the whole text: at the first fill, and when a number has more or fewer digits than before. */
  private write(numbers: readonly number[]): void {
    const [first = "", ...rest] = this.pieces;
    let text = first;
    this.fields = numbers.map((value, at) => {
      const digits = String(value);
      const field = { from: text.length, digitsCount: digits.length, value };
      text += digits + (rest[at] ?? "");
      return field;
    });
    this.bytes = Buffer.from(text, "latin1");
  }
}

function writeDigits(bytes: Buffer, { from, digitsCount }: Field, number: number): void {
  if (number < SHORT_MAX) {
    writeShort(bytes, from, digitsCount, number);
    return;
  }
  const high = Math.floor(number / SHORT_MAX);
  writeShort(bytes, from, digitsCount - SHORT_DIGITS, high);
  writeShort(bytes, from + digitsCount - SHORT_DIGITS, SHORT_DIGITS, number - high * SHORT_MAX);
}

/** Writes the digits of a number below `SHORT_MAX`. */
function writeShort(bytes: Buffer, from: number, digitsCount: number, number: number): void {
  let rest = number | 0;
  for (let at = from + digitsCount - 1; at >= from; at -= 1) {
    const tenth = (rest / 10) | 0;
    bytes[at] = DIGIT_ZERO + rest - tenth * 10;
    rest = tenth;
  }
}

function digitsCountOf(value: number): number {
  let count = 1;
  for (let bound = 10; bound <= value; bound *= 10) count += 1;
  return count;
}
