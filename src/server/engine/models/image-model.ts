import type { InferenceSession } from 'onnxruntime-node'
import { NodeFault } from '#server/engine/node-fault.ts'
import { onnxRuntime } from './onnx-runtime.ts'

/** Colours of a picture as models take them: all red, then all green, then all blue, from 0 to 1. */
export interface Planes {
  readonly width: number
  readonly height: number
  /** width * height * 3. */
  readonly data: Float32Array
}

const COLOURS = 3

/** A model that makes a picture out of a picture: 1x3xHxW in, 1x3x(kH)x(kW) out, 32-bit float. */
export class ImageModel {
  /** The only sides that it takes, in pixels; null: any. */
  readonly fixedWidth: number | null
  readonly fixedHeight: number | null
  readonly #session: InferenceSession
  readonly #input: string
  readonly #output: string

  /** @throws {NodeFault} The model takes or gives something else. */
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

  /** @throws {NodeFault} What comes out is no picture whose sides are those of the input times a whole number. */
  async run({ width, height, data }: Planes): Promise<Planes & { factor: number }> {
    const { Tensor } = await onnxRuntime()
    const input = new Tensor('float32', data, [1, COLOURS, height, width])
    const results = await this.#session
      .run({ [this.#input]: input }, [this.#output])
      .catch((cause: unknown) => {
        const words = `The model fails on ${width} x ${height} pixels: ${reasonOf(cause)}`
        throw new NodeFault(words, undefined, { cause })
      })
    const made = results[this.#output]
    const [count, colours, madeHeight = 0, madeWidth = 0] = made?.dims ?? []
    const factor = madeWidth / width
    const isWhole = Number.isInteger(factor) && factor > 0 && madeHeight === height * factor
    if (count !== 1 || colours !== COLOURS || !isWhole || !(made?.data instanceof Float32Array)) {
      throw new NodeFault(
        `The model makes ${made?.dims.join('x')} out of 1x3x${height}x${width}: that is no picture whose sides are multiplied by a whole number.`,
      )
    }
    return { width: madeWidth, height: madeHeight, data: made.data, factor }
  }
}

/** Before its reason ONNX Runtime tells in which of its own files and functions that was. */
const WHERE = /^.*Status Message: (?:\/\S+:\d+ .*?\) )?/s

const reasonOf = (cause: unknown): string =>
  (cause instanceof Error ? cause.message : String(cause)).replace(WHERE, '')

type Value = InferenceSession.ValueMetadata
type TensorValue = Extract<Value, { isTensor: true }>

/** A side with a name may be any number. A tensor of no sides at all may have any. */
const isPictures = (value: Value | undefined): value is TensorValue => {
  if (!value?.isTensor || value.type !== 'float32') return false
  const [count, colours] = value.shape
  return (
    value.shape.length === 0 ||
    (value.shape.length === 4 && fits(count, 1) && fits(colours, COLOURS))
  )
}

const fits = (side: number | string | undefined, wanted: number): boolean =>
  typeof side === 'string' || side === wanted

const notOfPictures = ({ inputMetadata, outputMetadata }: InferenceSession): NodeFault =>
  new NodeFault(
    `The model takes ${told(inputMetadata)} and gives ${told(outputMetadata)}; this node needs one that takes 1x3xHxW and gives 1x3x(kH)x(kW), both 32-bit float.`,
  )

const told = (values: readonly Value[]): string =>
  values
    .map((value) => (value.isTensor ? `${value.type} ${value.shape.join('x')}` : 'no tensor'))
    .join(' and ')
