import type { BoardOperations } from '#client/boards/board-operations.ts'
import type { CallOptions } from '#client/transport/call.ts'
import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import type { ImageOperations } from './image-operations.ts'

/** Returns the name without its extension. A leading dot does not start an extension. */
const withoutExtension = (imageName: string): string => {
  const dot = imageName.lastIndexOf('.')
  return dot > 0 ? imageName.slice(0, dot) : imageName
}

/**
 * Implements `resolveImageName` of the repository. Tries the given name, the name without extension, and then the
 * same among all uncategorized names, where a prefix match is accepted too.
 */
export const resolveImageName = async (
  images: ImageOperations,
  boards: BoardOperations,
  imageName: string,
  options: CallOptions = {},
): Promise<string | null> => {
  if (imageName === '') return null
  const stripped = withoutExtension(imageName)
  for (const name of new Set([imageName, stripped])) {
    if ((await images.get(name, options)) !== null) return name
  }
  const uncategorized = await boards.imageNames(UNCATEGORIZED_BOARD_ID, options)
  if (uncategorized.includes(imageName)) return imageName
  if (uncategorized.includes(stripped)) return stripped
  return uncategorized.find((name) => name.startsWith(stripped)) ?? null
}
