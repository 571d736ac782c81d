import type { ImageRecord } from '#contract/image.ts'
import { MAX_RESIZE_PIXELS } from '#contract/limits.ts'
import { Refusal } from './refusal.ts'

/** Where a person finds an image that has the same bytes. */
export const whereItIs = ({ file_name }: ImageRecord, boardName: string | null): string => {
  const where = boardName === null ? 'on no board' : `on ${boardName}`
  return `Already here, ${where}${file_name === null ? '' : ` as ${file_name}`}.`
}

/** @throws {Refusal} `invalid_resize`. */
export const assertResize = (size: { width: number; height: number } | null): void => {
  if (size === null) return
  const { width, height } = size
  const isWhole = Number.isInteger(width) && Number.isInteger(height)
  if (!isWhole || width < 1 || height < 1 || width * height > MAX_RESIZE_PIXELS) {
    throw new Refusal('invalid_resize')
  }
}

/** Bytes as something that is read once. */
export async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** Reads to the end, so that whoever sends can go on. */
export const drain = async (source: AsyncIterable<Uint8Array>): Promise<void> => {
  for await (const _ of source);
}
