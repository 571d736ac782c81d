import type { BoardOperations } from '#client/boards/board-operations.ts'
import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import type { ImageOperations } from './image-operations.ts'

/** The name without the text after its last dot. A leading dot starts no extension. */
const withoutExtension = (imageName: string): string => {
  const dot = imageName.lastIndexOf('.')
  return dot > 0 ? imageName.slice(0, dot) : imageName
}

/**
 * The exact token of an image whose name may have gained or lost its extension (spec 4.4).
 *
 * @returns null when nothing matches.
 */
export const resolveImageName = async (
  images: ImageOperations,
  boards: BoardOperations,
  imageName: string,
): Promise<string | null> => {
  if (imageName === '') return null
  const stripped = withoutExtension(imageName)
  for (const name of new Set([imageName, stripped])) {
    if ((await images.get(name)) !== null) return name
  }
  const uncategorized = await boards.imageNames(UNCATEGORIZED_BOARD_ID)
  if (uncategorized.includes(imageName)) return imageName
  if (uncategorized.includes(stripped)) return stripped
  return uncategorized.find((name) => name.startsWith(stripped)) ?? null
}
