import { useEffect, useEffectEvent, useRef } from 'react'
import { useGenerations } from '#gallery/api/queue/generations.ts'
import type { Generation } from '#gallery/api/queue/generations-of.ts'
import { isolated } from '#gallery/ui/text/names.ts'
import { showToast } from '#gallery/ui/toasts/toast.tsx'
import { ALL_BOARDS } from '#gallery/url/place-order.ts'
import { currentPlace, goTo } from '#gallery/url/use-place.ts'
import { isFollowing, scrollToNewImage } from './follow-switch.tsx'

/**
 * Scrolls to new images if the user wants that: at once on the open board, otherwise after a click on a toast. Renders
 * nothing: a component, so that frequent progress updates re-render no other one.
 */
export function FollowGenerations({ nameOfBoard }: { nameOfBoard: (boardId: string) => string }) {
  const generations = useGenerations()
  const before = useRef<readonly Generation[]>([])
  const follow = useEffectEvent((completed: ReturnType<typeof completedBetween>) => {
    const { board } = currentPlace()
    const here = completed.findLast(({ boardId }) => board === ALL_BOARDS || board === boardId)
    const elsewhere = completed.findLast(({ boardId }) => boardId !== here?.boardId)
    if (here) scrollToNewImage(here.imageName)
    else if (elsewhere) showNewImageToast(elsewhere, nameOfBoard(elsewhere.boardId))
  })
  useEffect(() => {
    const completed = completedBetween(before.current, generations)
    before.current = generations
    if (isFollowing()) follow(completed)
  }, [generations])
  return null
}

function showNewImageToast(
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

/** Returns the newest image and the board of each generation that has finished between two updates. */
export function completedBetween(
  before: readonly Generation[],
  after: readonly Generation[],
): { imageName: string; boardId: string }[] {
  const staying = new Set(after.map(({ itemId }) => itemId))
  return before.flatMap(({ itemId, imageNames, boardId }) => {
    const imageName = imageNames.at(-1)
    return imageName === undefined || staying.has(itemId) ? [] : [{ imageName, boardId }]
  })
}
