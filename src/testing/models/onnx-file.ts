import { protobufMessage as message, type ProtobufFields } from './protobuf-message.ts'

// The numbers of fields and types are those of onnx.proto.

const FLOAT = 1
const INT64 = 7
const IR_VERSION = 8
const COLOURS = 3
const OPSET = 13

/** The dimensions in order: a number, or the name of a free dimension. */
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

type Attribute = number | string | readonly number[]

const attribute = (name: string, is: Attribute): Buffer => message([[1, name], ...fieldsOf(is)])

const fieldsOf = (is: Attribute): ProtobufFields => {
  const [field, type] = typeof is === 'number' ? [3, 2] : typeof is === 'string' ? [4, 3] : [8, 7]
  const all = typeof is === 'object' ? is : [is]
  return [...all.map((one) => [field, one] as const), [20, type]]
}

interface OnnxParts {
  input: OnnxShape
  output: OnnxShape
  /** The nodes in the order of execution. */
  nodes: readonly Buffer[]
  weights: readonly Buffer[]
  element?: number
}

const model = ({ input, output, nodes, weights, element }: OnnxParts): Buffer => {
  const graph = message([
    ...nodes.map((node) => [1, node] as const),
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

const node = (
  type: string,
  inputs: readonly string[],
  attributes: Readonly<Record<string, Attribute>> = {},
  output = 'output',
) =>
  message([
    ...inputs.map((input) => [1, input] as const),
    [2, output],
    [4, type],
    ...Object.entries(attributes).map(([name, is]) => [5, attribute(name, is)] as const),
  ])

const scaled = (shape: OnnxShape, factor: number): OnnxShape =>
  shape.map((side, index) =>
    index < 2 ? side : typeof side === 'number' ? side * factor : `${side}${factor}`,
  )

/** Creates a model that enlarges an image: each pixel becomes a square of `factor` by `factor`. */
export const enlargingOnnx = (factor = 2, input: OnnxShape = [1, 3, 'h', 'w']): Buffer =>
  model({
    input,
    output: scaled(input, factor),
    nodes: [
      node('Resize', ['input', '', 'scales'], {
        mode: 'nearest',
        coordinate_transformation_mode: 'asymmetric',
        nearest_mode: 'floor',
      }),
    ],
    weights: [constant('scales', FLOAT, [4], bytesOf([1, 1, factor, factor]))],
  })

/**
 * Creates an upscaler with the usual structure: a convolution computes the pixels of each square, which are
 * then arranged. This one keeps the colors unchanged.
 */
export const subPixelOnnx = (factor = 2, input: OnnxShape = [1, 3, 'h', 'w']): Buffer => {
  const sides = [COLOURS * factor ** 2, COLOURS, 3, 3]
  const weights = Array.from({ length: sides.reduce((all, side) => all * side) }, (_, at) => {
    const [out, from] = [Math.floor(at / (COLOURS * 9)), Math.floor(at / 9) % COLOURS]
    return out % COLOURS === from && at % 9 === 4 ? 1 : 0
  })
  return model({
    input,
    output: scaled(input, factor),
    nodes: [
      node('Conv', ['input', 'weights'], { pads: [1, 1, 1, 1] }, 'squares'),
      node('DepthToSpace', ['squares'], { blocksize: factor, mode: 'DCR' }),
    ],
    weights: [constant('weights', FLOAT, sides, bytesOf(weights))],
  })
}

/** Creates a model that loads and fails for any input: no tile has sides of 5 and 7 pixels. */
export const failingOnnx = (): Buffer =>
  model({
    input: [1, 3, 'h', 'w'],
    output: [1, 3, 'h', 'w'],
    nodes: [node('Add', ['input', 'patch'])],
    weights: [constant('patch', FLOAT, [1, 3, 5, 7], bytesOf(new Array(105).fill(0)))],
  })

/**
 * Creates a model that multiplies all values by a factor.
 *
 * @param more.weights - Unused bytes in the file in addition to the factor.
 * @param more.outside - Bytes that the model declares to be in a file next to this one.
 */
export const multiplyingOnnx = (
  factor: number,
  more: { input?: OnnxShape; weights?: number; outside?: number } = {},
): Buffer => {
  const { input = [1, 3, 'h', 'w'], weights = 0, outside = 0 } = more
  return model({
    input,
    output: input,
    nodes: [node('Mul', ['input', 'factor'])],
    weights: [
      constant('factor', FLOAT, [1], bytesOf([factor])),
      ...(weights > 0 ? [constant('unused', FLOAT, [weights / 4], Buffer.alloc(weights))] : []),
      ...(outside > 0 ? [constantOutside('large', outside)] : []),
    ],
  })
}

/** Creates a constant whose bytes are in the file `weights.data`. */
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
 * Creates a model that normalizes its input: gray plus a tenth of the difference between a pixel and the
 * mean. The same pixel therefore gets a different value in each tile.
 */
export const normalizingOnnx = (): Buffer =>
  model({
    input: [1, 3, 'h', 'w'],
    output: [1, 3, 'h', 'w'],
    nodes: [node('InstanceNormalization', ['input', 'scale', 'middle'])],
    weights: [
      constant('scale', FLOAT, [3], bytesOf([0.1, 0.1, 0.1])),
      constant('middle', FLOAT, [3], bytesOf([0.5, 0.5, 0.5])),
    ],
  })

/** Creates a model that does not take an image: its input and output are integers. */
export const countingOnnx = (): Buffer =>
  model({
    input: [1, 3, 'h', 'w'],
    output: [1, 3, 'h', 'w'],
    nodes: [node('Abs', ['input'])],
    weights: [],
    element: INT64,
  })
