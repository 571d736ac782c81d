import type { InferenceSession } from 'onnxruntime-node'
import { NodeFault } from '#server/engine/node-fault.ts'
import { onnxRuntime } from './onnx-runtime.ts'

/** Pixels in the layout of models: the red plane, then green, then blue, with values from 0 to 1. */
export interface Planes {
  readonly width: number
  readonly height: number
  /** Length: width * height * 3. */
  readonly data: Float32Array
}

const COLORS = 3

/** An image-to-image model: input 1x3xHxW, output 1x3x(kH)x(kW), 32-bit float. */
export class ImageModel {
  /** Fixed input size in pixels, or null if the model accepts any. */
  readonly fixedWidth: number | null
  readonly fixedHeight: number | null
  readonly #session: InferenceSession
  readonly #input: string
  readonly #output: string

  /** @throws {NodeFault} The model has other inputs or outputs. */
  constructor(session: InferenceSession) {
    const [input] = session.inputMetadata
    const [output] = session.outputMetadata
    if (session.inputMetadata.length !== 1 || !isPictures(input) || !isPictures(output)) {
      throw notOfPictures(session)
    }
    const [, , height, width] = input.shape
    this.fixedWidth = typeof width === 'number' ? width : null
    this.fixedHeight = typeof height === 'number' ? height : null
    this.#session = session
    this.#input = input.name
    this.#output = output.name
  }

  /** @throws {NodeFault} The sides of the output are not the same integer multiple of the input's sides. */
  async run({ width, height, data }: Planes): Promise<Planes & { factor: number }> {
    const { Tensor } = await onnxRuntime()
    const input = new Tensor('float32', data, [1, COLORS, height, width])
    const results = await this.#session
      .run({ [this.#input]: input }, [this.#output])
      .catch((cause: unknown) => {
        const message = `The model fails on ${width} x ${height} pixels: ${reasonOf(cause)}`
        throw new NodeFault(message, undefined, { cause })
      })
    const made = results[this.#output]
    const [count, colors, madeHeight = 0, madeWidth = 0] = made?.dims ?? []
    const factor = madeWidth / width
    const isWhole = Number.isInteger(factor) && factor > 0 && madeHeight === height * factor
    if (count !== 1 || colors !== COLORS || !isWhole || !(made?.data instanceof Float32Array)) {
      throw new NodeFault(
        `The model makes ${made?.dims.join('x')} out of 1x3x${height}x${width}: that is no picture whose sides are multiplied by a whole number.`,
      )
    }
    return { width: madeWidth, height: madeHeight, data: made.data, factor }
  }
}

/** ONNX Runtime prefixes its messages with source files and functions, which are removed. */
const SOURCE_LOCATION = /^.*Status Message: (?:\/\S+:\d+ .*?\) )?/s

const reasonOf = (cause: unknown): string =>
  (cause instanceof Error ? cause.message : String(cause)).replace(SOURCE_LOCATION, '')

type Value = InferenceSession.ValueMetadata
type TensorValue = Extract<Value, { isTensor: true }>

/** True if the tensor can hold a picture. A named dimension accepts any number, a shape without dimensions anything. */
const isPictures = (value: Value | undefined): value is TensorValue => {
  if (!value?.isTensor || value.type !== 'float32') return false
  const [count, colors] = value.shape
  return (
    value.shape.length === 0 || (value.shape.length === 4 && fits(count, 1) && fits(colors, COLORS))
  )
}

const fits = (side: number | string | undefined, wanted: number): boolean =>
  typeof side === 'string' || side === wanted

const notOfPictures = ({ inputMetadata, outputMetadata }: InferenceSession): NodeFault =>
  new NodeFault(
    `The model takes ${tensorsOf(inputMetadata)} and gives ${tensorsOf(outputMetadata)}; this node needs one that takes 1x3xHxW and gives 1x3x(kH)x(kW), both 32-bit float.`,
  )

const tensorsOf = (values: readonly Value[]): string =>
  values
    .map((value) => (value.isTensor ? `${value.type} ${value.shape.join('x')}` : 'no tensor'))
    .join(' and ')
