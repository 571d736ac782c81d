import type { InfiniteData } from '@tanstack/react-query'
import type { TrashPage } from '#contract/trash-operations.ts'
import type { TakeBack } from './board-cache.ts'
import { queryClient } from './connection.ts'

/** The one place that spells the keys of the trash. */
export const trashKeys = {
  all: () => ['trash'] as const,
  list: () => ['trash', 'list'] as const,
  count: () => ['trash', 'count'] as const,
}

/** A page as it is shown, and where the server's next one begins; `null` where there is none. */
export interface ShownTrashPage extends TrashPage {
  readonly nextOffset: number | null
}

type Trash = InfiniteData<ShownTrashPage, number>

/** What is about to leave the trash. */
type Hidden =
  | { readonly imageNames?: readonly string[]; readonly boardIds?: readonly string[] }
  | 'everything'

/** What the server has not confirmed yet: its answers must not show it undone. */
const pending = new Set<Hidden>()

/** Takes out of the trash that is shown what is on its way back, or gone for good. */
export function hideFromTrash(what: Hidden): TakeBack {
  const hidden = what === 'everything' ? what : { ...what }
  pending.add(hidden)
  queryClient.setQueryData<Trash>(
    trashKeys.list(),
    (trash) => trash && { ...trash, pages: trash.pages.map((page) => without(page, hidden)) },
  )
  const goneCount = hidden === 'everything' ? Infinity : (hidden.imageNames?.length ?? 0)
  queryClient.setQueryData<number>(
    trashKeys.count(),
    (count) => count && Math.max(0, count - goneCount),
  )
  const end = () => pending.delete(hidden)
  const takeBack = () => {
    if (end()) void queryClient.invalidateQueries({ queryKey: trashKeys.all() })
  }
  return Object.assign(takeBack, { settle: end })
}

/** An answer of the server as it is to be shown while changes are on their way to it. */
export function shownTrash(page: TrashPage): ShownTrashPage {
  const { offset, items, total } = page
  const end = offset + items.length
  let shown: ShownTrashPage = { ...page, nextOffset: items.length > 0 && end < total ? end : null }
  for (const hidden of pending) shown = without(shown, hidden)
  return shown
}

function without(page: ShownTrashPage, hidden: Hidden): ShownTrashPage {
  if (hidden === 'everything') return { ...page, total: 0, items: [], boards: [], nextOffset: null }
  const { imageNames = [], boardIds = [] } = hidden
  const names = new Set(imageNames)
  return {
    ...page,
    total: Math.max(0, page.total - names.size),
    items: page.items.filter(({ image_name }) => !names.has(image_name)),
    boards: page.boards.filter(({ board_id }) => !boardIds.includes(board_id)),
  }
}
