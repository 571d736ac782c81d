import { FaultList } from '#server/core/validation/fault-list.ts'
import type { NodeContext } from '#server/engine/define-node.ts'
import { readNode } from '#server/engine/graph/read-node.ts'
import { nodeCatalog } from '#server/engine/nodes/index.ts'
import { withSignal } from '#server/engine/pictures/in-slices.ts'
import { toMode } from '#server/engine/pictures/modes/to-mode.ts'
import { bandsOf, type Picture, type PictureMode } from '#server/engine/pictures/picture.ts'
import { resize } from '#server/engine/pictures/resample/resize.ts'

/** A pixel: its bands, or its only band. */
type Pixel = number | readonly number[]

const holderOf = (mode: PictureMode, bands: readonly number[]): Picture['data'] => {
  if (mode === 'I') return Int32Array.from(bands)
  return mode === 'F' ? Float32Array.from(bands) : Uint8Array.from(bands)
}

/** Creates a picture from rows of pixels. */
export const pictureOf = (mode: PictureMode, rows: readonly (readonly Pixel[])[]): Picture => ({
  mode,
  width: rows[0]?.length ?? 0,
  height: rows.length,
  data: holderOf(mode, rows.flat(2)),
})

/** Returns the rows of pixels of a picture as `pictureOf` takes them. */
export const rowsOf = ({ mode, width, height, data }: Picture): Pixel[][] => {
  const bands = bandsOf[mode]
  const pixelAt = (index: number): Pixel =>
    bands === 1 ? (data[index] ?? 0) : [...data.subarray(index * bands, (index + 1) * bands)]
  return Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_, x) => pixelAt(y * width + x)),
  )
}

const readInputs = (type: string, inputs: Record<string, unknown>): Record<string, unknown> => {
  const found = new FaultList()
  const node = readNode(nodeCatalog, { id: type, type, ...inputs }, [], found)
  const [fault] = found.all
  if (node === undefined || fault) throw new Error(`refused: ${fault?.msg}`)
  return node
}

/**
 * Runs a picture node like the engine, which applies the schema to the inputs.
 *
 * @param inputs - A picture represents an image with this content.
 * @param options - `images`: images that are nested in the inputs, by name.
 * @throws {Error} `refused: ...` if the schema refuses an input.
 */
export const runPictureNode = async (
  type: string,
  inputs: Record<string, unknown>,
  {
    maxPixels = 1_000_000,
    signal,
    images = {},
  }: { maxPixels?: number; signal?: AbortSignal; images?: Record<string, Picture> } = {},
): Promise<Picture> => {
  const pictures = new Map<string, Picture>(Object.entries(images))
  const fields = Object.entries(inputs).map(([name, value]) => {
    if (!isPicture(value)) return [name, value]
    pictures.set(name, value)
    return [name, { image_name: name }]
  })
  const readPicture = async ({ image_name }: { image_name: string }) => {
    const picture = pictures.get(image_name)
    if (picture === undefined) throw new Error(`no picture for ${image_name}`)
    return picture
  }
  const read = readInputs(type, Object.fromEntries(fields))
  const context: NodeContext = {
    maxPixels,
    readPicture,
    readAs: async (image, mode) => toMode(await readPicture(image), mode),
    readResized: async (image, sizeOf, mode) => {
      const picture = await readPicture(image)
      return resize(picture, sizeOf(picture), mode)
    },
    imageRecord: () => Promise.reject(new Error('picture nodes read no records')),
    metadataOf: () => Promise.reject(new Error('picture nodes read no metadata')),
    withModel: () => Promise.reject(new Error('picture nodes run no models')),
    appVersion: 'test',
    progress: () => {},
  }
  const run = async () => (await nodeCatalog.get(type)?.run(read, context)) as Picture
  return signal ? withSignal(signal, run) : run()
}

const isPicture = (value: unknown): value is Picture =>
  typeof value === 'object' && value !== null && 'mode' in value && 'data' in value
