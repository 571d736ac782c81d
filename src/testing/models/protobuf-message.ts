/** The fields of a message in order: a number is written as a varint, bytes and texts with their length. */
export type ProtobufFields = readonly (readonly [number, number | string | Uint8Array])[]

const LENGTH_DELIMITED = 2

const varint = (value: number): number[] =>
  value < 0x80 ? [value] : [(value % 0x80) | 0x80, ...varint(Math.floor(value / 0x80))]

/** Writes a protobuf message. */
export const protobufMessage = (fields: ProtobufFields): Buffer =>
  Buffer.concat(
    fields.map(([number, value]) => {
      if (typeof value === 'number') return Buffer.from([...varint(number << 3), ...varint(value)])
      const bytes = Buffer.from(value)
      const head = [...varint((number << 3) | LENGTH_DELIMITED), ...varint(bytes.length)]
      return Buffer.concat([Buffer.from(head), bytes])
    }),
  )
