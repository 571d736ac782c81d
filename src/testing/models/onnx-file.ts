import { protobufMessage as message } from './protobuf-message.ts'

// The numbers of fields and of types are those of onnx.proto.

const FLOAT = 1
const INT64 = 7
const STRING_ATTRIBUTE = 3
const IR_VERSION = 8
const OPSET = 13

/** Sides in order: a number, or the name of one that is free. */
export type OnnxShape = readonly (number | string)[]

const value = (name: string, shape: OnnxShape, element = FLOAT) => {
  const sides = shape.map(
    (side) => [1, message([typeof side === 'number' ? [1, side] : [2, side]])] as const,
  )
  const tensor = message([
    [1, element],
    [2, message(sides)],
  ])
  return message([
    [1, name],
    [2, message([[1, tensor]])],
  ])
}

const constant = (name: string, element: number, sides: readonly number[], raw: Uint8Array) =>
  message([...sides.map((side) => [1, side] as const), [2, element], [8, name], [9, raw]])

const bytesOf = (numbers: readonly number[]): Buffer =>
  Buffer.from(Float32Array.from(numbers).buffer)

const texts = (attributes: Readonly<Record<string, string>>) =>
  Object.entries(attributes).map(
    ([name, text]) =>
      [
        5,
        message([
          [1, name],
          [4, text],
          [20, STRING_ATTRIBUTE],
        ]),
      ] as const,
  )

interface OnnxParts {
  input: OnnxShape
  output: OnnxShape
  node: Buffer
  weights: readonly Buffer[]
  element?: number
}

const model = ({ input, output, node, weights, element }: OnnxParts): Buffer => {
  const graph = message([
    [1, node],
    [2, 'graph'],
    ...weights.map((weight) => [5, weight] as const),
    [11, value('input', input, element)],
    [12, value('output', output, element)],
  ])
  return message([
    [1, IR_VERSION],
    [7, graph],
    [8, message([[2, OPSET]])],
  ])
}

const node = (type: string, inputs: readonly string[], attributes: Record<string, string> = {}) =>
  message([
    ...inputs.map((input) => [1, input] as const),
    [2, 'output'],
    [4, type],
    ...texts(attributes),
  ])

const scaled = (shape: OnnxShape, factor: number): OnnxShape =>
  shape.map((side, index) =>
    index < 2 ? side : typeof side === 'number' ? side * factor : `${side}${factor}`,
  )

/** A model that enlarges: each pixel becomes a square of `factor` by `factor`. */
export const enlargingOnnx = (factor = 2, input: OnnxShape = [1, 3, 'h', 'w']): Buffer =>
  model({
    input,
    output: scaled(input, factor),
    node: node('Resize', ['input', '', 'scales'], {
      mode: 'nearest',
      coordinate_transformation_mode: 'asymmetric',
      nearest_mode: 'floor',
    }),
    weights: [constant('scales', FLOAT, [4], bytesOf([1, 1, factor, factor]))],
  })

/**
 * A model that multiplies everything.
 *
 * @param more.weights - Bytes that lie in the file beside the factor, and say nothing.
 * @param more.outside - Bytes that are said to lie in a file beside this one.
 */
export const multiplyingOnnx = (
  factor: number,
  more: { input?: OnnxShape; weights?: number; outside?: number } = {},
): Buffer => {
  const { input = [1, 3, 'h', 'w'], weights = 0, outside = 0 } = more
  return model({
    input,
    output: input,
    node: node('Mul', ['input', 'factor']),
    weights: [
      constant('factor', FLOAT, [1], bytesOf([factor])),
      ...(weights > 0 ? [constant('unused', FLOAT, [weights / 4], Buffer.alloc(weights))] : []),
      ...(outside > 0 ? [constantOutside('large', outside)] : []),
    ],
  })
}

/** A constant whose bytes lie in the file `weights.data`. */
const constantOutside = (name: string, bytes: number) => {
  const entries = { location: 'weights.data', offset: '0', length: String(bytes) }
  return message([
    [1, bytes / 4],
    [2, FLOAT],
    [8, name],
    ...Object.entries(entries).map(
      ([key, text]) =>
        [
          13,
          message([
            [1, key],
            [2, text],
          ]),
        ] as const,
    ),
    [14, 1],
  ])
}

/**
 * A model that evens out what it sees: grey in the middle, lighter and darker by a tenth of how far a pixel is
 * from the mean. So the same pixel comes out otherwise in each tile.
 */
export const normalizingOnnx = (): Buffer =>
  model({
    input: [1, 3, 'h', 'w'],
    output: [1, 3, 'h', 'w'],
    node: node('InstanceNormalization', ['input', 'scale', 'middle']),
    weights: [
      constant('scale', FLOAT, [3], bytesOf([0.1, 0.1, 0.1])),
      constant('middle', FLOAT, [3], bytesOf([0.5, 0.5, 0.5])),
    ],
  })

/** A model that takes no picture: whole numbers go in and come out. */
export const countingOnnx = (): Buffer =>
  model({
    input: [1, 3, 'h', 'w'],
    output: [1, 3, 'h', 'w'],
    node: node('Abs', ['input']),
    weights: [],
    element: INT64,
  })
