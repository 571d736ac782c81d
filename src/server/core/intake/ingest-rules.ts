import type { ImageRecord } from '#contract/image.ts'
import { MAX_RESIZE_PIXELS } from '#contract/limits.ts'
import { Refusal } from '#server/core/refusal.ts'

/**
 * Names the place of an image that has the same bytes.
 *
 * @param fileName - The name of the new file. The name of the existing one is added only if it differs.
 */
export const whereItIs = (
  { file_name }: ImageRecord,
  boardName: string | null,
  fileName: string | null,
): string => {
  const where = boardName === null ? 'Assets' : boardName
  const isNamedAlike = file_name === null || file_name === fileName
  return `Already in ${where}${isNamedAlike ? '' : ` as ${file_name}`}.`
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
