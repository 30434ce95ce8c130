/** The fields of a protobuf message, by number. A repeated field has several values. */
export type Fields = ReadonlyMap<number, readonly (bigint | Uint8Array)[]>;

/**
 * Reads the fields of a protobuf message (https://protobuf.dev/programming-guides/encoding): numbers, and bytes that are text, bytes or
 * another message.
 */
export function readFields(message: Uint8Array): Fields {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const fields = new Map<number, (bigint | Uint8Array)[]>();
  let at = 0;

  function varint(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at);
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }

  function take(length: number): Buffer {
    const taken = bytes.subarray(at, at + length);
    if (taken.length < length) throw new Error('The message ends within a field');
    at += length;
    return taken;
  }

  function value(wireType: number): bigint | Uint8Array {
    switch (wireType) {
      case 0:
        return varint();
      case 1:
        return take(8).readBigUInt64LE();
      case 2:
        return take(Number(varint()));
      case 5:
        return BigInt(take(4).readUInt32LE());
      default:
        throw new Error(`Wire type ${wireType} is unknown`);
    }
  }

  while (at < bytes.length) {
    const key = Number(varint());
    const values = fields.get(key >> 3) ?? [];
    values.push(value(key & 7));
    fields.set(key >> 3, values);
  }
  return fields;
}

/** Returns the messages of a field. */
export function messagesIn(fields: Fields, number: number): Fields[] {
  return (fields.get(number) ?? []).map((value) => {
    if (typeof value === 'bigint') throw new Error(`Field ${number} is a number`);
    return readFields(value);
  });
}

/** Returns the bytes of a field; empty if it is absent. */
export function bytesIn(fields: Fields, number: number): Buffer {
  const value = fields.get(number)?.[0] ?? new Uint8Array();
  if (typeof value === 'bigint') throw new Error(`Field ${number} is a number`);
  return Buffer.from(value);
}

/** Returns the number of a field; 0 if it is absent, as protobuf defines. */
export function numberIn(fields: Fields, number: number): bigint {
  const value = fields.get(number)?.[0] ?? 0n;
  if (typeof value !== 'bigint') throw new Error(`Field ${number} is not a number`);
  return value;
}
