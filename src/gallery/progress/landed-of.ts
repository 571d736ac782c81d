import type { Generation } from '#gallery/api/generations.ts'

/** The newest image of each generation that has come to its end in between, and where it is. */
export function landedOf(
  before: readonly Generation[],
  after: readonly Generation[],
): { imageName: string; boardId: string }[] {
  const staying = new Set(after.map(({ itemId }) => itemId))
  return before.flatMap(({ itemId, imageNames, boardId }) => {
    const imageName = imageNames.at(-1)
    return imageName === undefined || staying.has(itemId) ? [] : [{ imageName, boardId }]
  })
}
