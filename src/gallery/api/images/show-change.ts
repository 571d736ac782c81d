import { hashKey, type QueryClient } from '@tanstack/react-query'
import type { Board } from '#client/index.ts'
import type { Rollback } from '#gallery/api/answer/pending-edits.ts'
import type { BoardCache, BoardEdit } from '#gallery/api/boards/board-cache.ts'
import { withChange } from '#gallery/api/outbox/board-requests.ts'
import {
  type BoardAspect,
  isTagAspect,
  type StepAspect,
  tagOfAspect,
  type Value,
} from '#gallery/api/outbox/outbox-state.ts'
import { withTag } from '#gallery/api/tags/tag-lists.ts'
import type { Trash } from '#gallery/api/trash/trash-cache.ts'
import type { RestorableRollback } from './cache-edits.ts'
import type { ImageCache } from './image-cache.ts'
import { type ImageView, isTrash } from './image-windows.ts'
import { countKnownStars, knownNamesOn } from './known-images.ts'
import { itemCountOf } from './noun.ts'
import type { StarredCount } from './starred-count.ts'

/** Images that are selected by their positions in a view. */
export interface ShownRule {
  readonly view: ImageView
  /** Ascending. */
  readonly positions: readonly number[]
}

/** Returns the boards of images by their names. */
export type BoardsByName = Pick<ReadonlyMap<string, string>, 'get'>

/** A change that is shown optimistically. */
export interface ShownChange {
  readonly aspect: StepAspect
  readonly wanted: Value
  readonly targets: readonly string[]
  readonly boards?: BoardsByName
  readonly board?: Board | undefined
  /** The rule that selects the images. `targets` are then only the loaded ones. */
  readonly rule?: ShownRule | undefined
  /** For an Undo: the value that it replaces. */
  readonly undone?: Value
}

/** An optimistic update. Calling it rolls the update back. */
export interface Shown extends Rollback {
  /**
   * Shows the images at their previous positions at once, for the Undo of a confirmed change.
   *
   * @returns A function to call after the server has restored them or refused to; `null` if the images appear only
   *   after the server has restored them.
   */
  restore(): (() => void) | null
}

/** The cached data that a change is shown in. */
export interface ShownData {
  readonly queryClient: QueryClient
  readonly imageCache: Pick<ImageCache, 'change' | 'remove' | 'removeAll' | 'removePositions'>
  readonly boardCache: Pick<BoardCache, 'edit'>
  readonly trash: Pick<Trash, 'hide'>
  readonly starredCount: Pick<StarredCount, 'edit'>
}

/** Shows a change optimistically: updates the cached images, boards and trash. */
export function showChange(api: ShownData, change: ShownChange): Shown {
  const shown = partsOf(api, change)
  const rollback = () => {
    for (const part of shown.toReversed()) part()
  }
  const settle = () => {
    for (const part of shown) part.settle()
  }
  const restore = () => {
    const ends = shown.flatMap((part) => part.restore?.() ?? [])
    if (ends.length === 0) return null
    return () => {
      for (const end of ends) end()
    }
  }
  return Object.assign(rollback, { settle, restore })
}

function partsOf(api: ShownData, change: ShownChange): RestorableRollback[] {
  const { imageCache, boardCache, trash, starredCount } = api
  const { aspect, wanted, targets } = change
  if (isTagAspect(aspect)) {
    const tag = tagOfAspect(aspect)
    const isAdded = wanted === true
    return [imageCache.change(targets, ({ tags }) => ({ tags: withTag(tags, tag, isAdded) }))]
  }
  switch (aspect) {
    case 'rating':
      return [imageCache.change(targets, { rating: Number(wanted) })]
    case 'starred': {
      const starred = wanted === true
      // Only the server knows the positions at which images enter a view of starred ones.
      const isLeft = (view: ImageView) =>
        view.isStarred !== undefined && view.isStarred !== starred && !isTrash(view)
      return [
        starredCount.edit(starsAdded(api, change)),
        imageCache.change(targets, { starred }),
        ...removeFrom(imageCache, new Set(targets), change, isLeft),
      ]
    }
    case 'board': {
      const boardId = String(wanted)
      const names = new Set(targets)
      return [
        imageCache.change(names, {
          board_id: boardId === 'none' ? null : boardId,
        }),
        ...removeFrom(
          imageCache,
          names,
          change,
          (view) => view.boardId !== null && view.boardId !== boardId,
        ),
        boardCache.edit({ counts: countsOf(change, boardId) }),
      ]
    }
    case 'trashed':
    case 'deleted':
      // Only the server knows the positions of restored images. Their boards are known after an Undo.
      if (wanted !== true) {
        const imageCount = change.rule?.positions.length ?? targets.length
        const counts =
          typeof wanted === 'string'
            ? new Map([[wanted, imageCount]])
            : negated(countsOf(change, null))
        return [
          trash.hide({ imageCount }),
          ...removeFrom(imageCache, new Set(targets), change, isTrash),
          boardCache.edit({ counts }),
        ]
      }
      return [
        starredCount.edit(-countKnownStars(api.queryClient, targets)),
        ...removeFrom(imageCache, new Set(targets), change, isOfBoards),
        boardCache.edit({ counts: countsOf(change, null) }),
      ]
    case 'board_name':
    case 'board_archived':
    case 'board_visibility':
    case 'board_cover':
    case 'board_pinned':
    case 'board_description':
    case 'board_position':
      return [boardCache.edit({ boards: changed(targets, aspect, wanted) })]
    case 'board_trashed':
    case 'board_deleted':
      return wanted ? partsOfGoneBoard(api, change) : comingBoards(api, change)
    case 'trash_emptied':
      return [trash.hide('everything'), imageCache.removeAll(isTrash)]
  }
}

/** Returns the change of the number of starred images, as far as the page knows the images. */
function starsAdded({ queryClient }: ShownData, { targets, wanted, rule }: ShownChange): number {
  if (rule?.view.isStarred && wanted !== true) return -rule.positions.length
  return wanted === true
    ? countKnownStars(queryClient, targets, false)
    : -countKnownStars(queryClient, targets)
}

const isOfBoards = (view: ImageView): boolean => !isTrash(view)

/** Removes images from the views that they leave. The positions of a rule are removed from the view of the rule. */
function removeFrom(
  imageCache: ShownData['imageCache'],
  names: ReadonlySet<string>,
  { rule }: ShownChange,
  fromViews: (view: ImageView) => boolean,
): RestorableRollback[] {
  if (rule === undefined) return [imageCache.remove(names, { fromViews })]
  const ofRule = hashKey([rule.view])
  const fromOthers = (view: ImageView) => fromViews(view) && hashKey([view]) !== ofRule
  const others = imageCache.remove(names, { fromViews: fromOthers })
  if (!fromViews(rule.view)) return [others]
  return [others, imageCache.removePositions(rule.view, rule.positions)]
}

const negated = (counts: ReadonlyMap<string, number>): Map<string, number> =>
  new Map([...counts].map(([boardId, count]) => [boardId, -count]))

function countsOf(change: ShownChange, boardId: string | null): Map<string, number> {
  const { targets, boards = NO_BOARDS, rule } = change
  const from = rule?.view.boardId ?? null
  if (rule === undefined || from === null) return countsOfMove(targets, boards, boardId)
  const { length } = rule.positions
  return new Map([[from, -length], ...(boardId === null ? [] : [[boardId, length] as const])])
}

/** Returns the changes for named images. Images with an unknown board are skipped: the next refetch counts them. */
function countsOfMove(
  imageNames: readonly string[],
  boards: BoardsByName,
  boardId: string | null,
): Map<string, number> {
  const counts = new Map<string, number>()
  const move = (from: string | undefined, count: number) => {
    if (from === undefined || from === boardId) return
    counts.set(from, (counts.get(from) ?? 0) - count)
    if (boardId !== null) counts.set(boardId, (counts.get(boardId) ?? 0) + count)
  }
  // Most neighbors are on the same board, so that they are counted together.
  let board: string | undefined
  let count = 0
  for (const name of imageNames) {
    const from = boards.get(name)
    if (from !== board) {
      move(board, count)
      board = from
      count = 0
    }
    count += 1
  }
  move(board, count)
  return counts
}

const NO_BOARDS: BoardsByName = new Map()

const changed =
  (boardIds: readonly string[], aspect: BoardAspect, value: Value) =>
  (boards: readonly Board[]): readonly Board[] =>
    boards.map((board) =>
      boardIds.includes(board.board_id) ? withChange(board, aspect, value) : board,
    )

/** Shows the removal of a board. Images that are loaded later come from the server, which has usually applied it. */
function partsOfGoneBoard(
  { queryClient, imageCache, boardCache }: ShownData,
  change: ShownChange,
): RestorableRollback[] {
  const names = change.targets.flatMap((boardId) => knownNamesOn(queryClient, boardId))
  const images =
    change.wanted === 'with images'
      ? imageCache.remove(names, { fromViews: isOfBoards })
      : imageCache.change(names, { board_id: null })
  return [boardCache.edit(goneBoard(change)), images]
}

function goneBoard({ targets, wanted, board }: ShownChange): BoardEdit {
  const uncategorizedCount = wanted === 'with images' ? 0 : board ? itemCountOf(board) : 0
  return {
    boards: (boards) => boards.filter(({ board_id }) => !targets.includes(board_id)),
    counts: new Map([['none', uncategorizedCount]]),
  }
}

/** Shows the restoring of a board. Its images return from Assets if the board was deleted without them. */
function comingBoards(
  { boardCache, trash }: ShownData,
  { targets, board, undone }: ShownChange,
): Rollback[] {
  const hidden = trash.hide({ boardIds: targets })
  if (board === undefined) return [hidden]
  const withBoard: BoardEdit = {
    boards: (boards) =>
      boards.some(({ board_id }) => board_id === board.board_id) ? boards : [board, ...boards],
    ...(undone === 'without images' && { counts: new Map([['none', -itemCountOf(board)]]) }),
  }
  return [hidden, boardCache.edit(withBoard)]
}
