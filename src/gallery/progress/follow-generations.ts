import { useEffect, useRef } from 'react'
import { type Generation, useGenerations } from '#gallery/api/queue/generations.ts'
import { isolated } from '#gallery/ui/text/names.ts'
import { showToast } from '#gallery/ui/toast.tsx'
import { ALL_BOARDS } from '#gallery/url/place.ts'
import { currentPlace, goTo } from '#gallery/url/use-place.ts'
import { isFollowing, scrollToNewImage } from './follow-toggle.tsx'

/**
 * Leads to what has been made, where a person wants that: at once on the open board, else when they say so.
 * It shows nothing, and is a component so that news many times a second draw no other one.
 */
export function FollowGenerations({ nameOfBoard }: { nameOfBoard: (boardId: string) => string }) {
  const generations = useGenerations()
  const before = useRef<readonly Generation[]>([])
  const names = useRef(nameOfBoard)
  useEffect(() => {
    names.current = nameOfBoard
  })
  useEffect(() => {
    const landed = landedOf(before.current, generations)
    before.current = generations
    if (!isFollowing()) return
    const { board } = currentPlace()
    const here = landed.findLast(({ boardId }) => board === ALL_BOARDS || board === boardId)
    const elsewhere = landed.findLast(({ boardId }) => boardId !== here?.boardId)
    if (here) scrollToNewImage(here.imageName)
    else if (elsewhere) tellOf(elsewhere, names.current(elsewhere.boardId))
  }, [generations])
  return null
}

function tellOf(
  { imageName, boardId }: { imageName: string; boardId: string },
  board: string,
): void {
  showToast({
    id: 'generation',
    title: `New image on ${isolated(board)}`,
    action: {
      label: 'Show',
      run: () => {
        goTo({ board: boardId, image: null, query: '' })
        scrollToNewImage(imageName)
      },
    },
  })
}

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
