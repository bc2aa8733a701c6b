import { crc32, deflateRawSync } from "node:zlib";

/** 1980-01-01, the first date of the format. */
const DOS_DATE = 0x21;

/** Creates a zip archive with one deflated file. Equal contents give equal bytes. */
export function zipOf(name: string, content: string | Uint8Array): Buffer {
  const bytes = Buffer.from(content);
  const packed = deflateRawSync(bytes);
  const file = Buffer.from(name);
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0);
  common.writeUInt16LE(8, 4);
  common.writeUInt16LE(DOS_DATE, 8);
  common.writeUInt32LE(crc32(bytes), 10);
  common.writeUInt32LE(packed.byteLength, 14);
  common.writeUInt32LE(bytes.byteLength, 18);
  common.writeUInt16LE(file.byteLength, 22);
  const local = Buffer.concat([Buffer.from("PK\x03\x04"), common, file, packed]);
  // The entry of the central directory: the field "version made by", the fields of the local header, and zeros for
  // comment, disk, attributes and offset.
  const directory = Buffer.concat([Buffer.from("PK\x01\x02\x14\x00"), common, Buffer.alloc(14), file]);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06");
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(directory.byteLength, 12);
  end.writeUInt32LE(local.byteLength, 16);
  return Buffer.concat([local, directory, end]);
}
