/** Tensors by name, each with its dimensions. */
export type TensorShapes = Readonly<Record<string, readonly number[]>>

/** Creates a safetensors file of zeros: tensors of bytes, and the metadata of its writer. */
export function safetensorsFile(
  shapes: TensorShapes,
  notes: Readonly<Record<string, string>> = {},
): Buffer {
  let end = 0
  const tensors = Object.entries(shapes).map(([name, shape]) => {
    const from = end
    end += shape.reduce((product, side) => product * side, 1)
    return [name, { dtype: 'U8', shape, data_offsets: [from, end] }]
  })
  const header = Buffer.from(
    JSON.stringify({ __metadata__: notes, ...Object.fromEntries(tensors) }),
  )
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(header.length))
  return Buffer.concat([length, header, Buffer.alloc(end)])
}
