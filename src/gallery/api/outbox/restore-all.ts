import type { Board } from '#client/index.ts'
import { trashedNames } from '#gallery/api/images/image-queries.ts'
import { type ImageView, TRASH_VIEW } from '#gallery/api/images/image-windows.ts'
import type { Noun } from '#gallery/api/images/noun.ts'
import { showChange } from '#gallery/api/images/show-change.ts'
import type { StepsRecipe } from '#gallery/api/journal/recipe.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import type { StepAction } from './outbox-events.ts'
import type { Outcome } from './outbox-open-steps.ts'
import { takeStep } from './outbox-steps.ts'
import { confirmUnload } from './rule-steps.ts'
import { joined, runnerOfSteps } from './several-steps.ts'
import type { Step, StepOptions, StepsApi, TakenStep } from './step-options.ts'

/** The content of the trash. */
export interface TrashContent {
  readonly total: number
  readonly noun: Noun
  readonly boards: readonly Board[]
  /** The open view of the trash. */
  readonly view: ImageView
}

/**
 * Restores everything in the trash, as one action. The boards come first, with the images that were deleted with them,
 * and then the other images, so that each returns to its board. Undo takes the reverse order.
 */
export function restoreAll(api: StepsApi, { total, noun, boards, view }: TrashContent): Step {
  const action: StepAction = {
    aspect: 'trash_restored',
    wanted: true,
    count: total,
    noun,
    boardCount: boards.length,
  }
  const retry = () => void restoreAll(api, { total, noun, boards, view })
  const allowUnload = confirmUnload()
  const first = api.imageCache.recordsAt(view, [0, 1, 2])
  const shown = showChange(api, { aspect: 'trash_emptied', wanted: true, targets: [] })
  const thumbnails = first.map(({ image_name }) => image_name)
  const entry = api.journal.add({ action, thumbnails }, async (options) => {
    const { taken } = await restored
    return runnerOfSteps(api, { id: entry, action }, recipeOf(taken)).undo(options)
  })
  const run = async (): Promise<Restored> => {
    const ofBoards = await takeAll(api, entry, boards.map(restoreBoard))
    // The restored boards took their images with them.
    const imageNames = total === 0 ? [] : await trashedNames(api.client, TRASH_VIEW)
    if (imageNames.length === 0) return ofBoards
    return takeAll(api, entry, [restoreImages(imageNames)], ofBoards.taken)
  }
  const restored = run()
  const undo = () => void api.journal.undo(entry)
  api.emit({ kind: 'taken', action, undo })
  const outcome = restored.then(
    ({ outcome }) => {
      const { done, failed } = outcome
      if (done.length === 0) shown()
      else shown.settle()
      if (failed.length > 0)
        api.emit({ kind: 'refused', action, failed, doneCount: 0, isListed: false, retry })
      if (done.length === 0) api.journal.forget(entry)
      else api.journal.confirm(entry)
      return outcome
    },
    (error: unknown) => {
      shown()
      api.journal.forget(entry)
      api.emit({ kind: 'unnamed', action, reason: reasonOf(error), retry })
      return NOTHING_DONE
    },
  )
  void outcome.then(allowUnload)
  return { outcome, undo }
}

interface Restored {
  readonly taken: readonly TakenStep[]
  readonly outcome: Outcome
}

/**
 * Takes steps of one action and waits for the server. The recipe is saved before, so that the action can be undone
 * after a reload.
 *
 * @param earlier - The steps of the action so far.
 */
async function takeAll(
  api: StepsApi,
  id: string,
  options: readonly StepOptions[],
  earlier: readonly TakenStep[] = [],
): Promise<Restored> {
  const fresh = options.map((one) => takeStep(api, { ...one, isMember: true }))
  const taken = [...earlier, ...fresh]
  const save = () => api.journal.save(id, recipeOf(taken))
  save()
  const outcomes = await Promise.all(taken.map(({ outcome }) => outcome))
  save()
  return { taken, outcome: joined(outcomes) }
}

const recipeOf = (taken: readonly TakenStep[]): StepsRecipe => ({
  kind: 'steps',
  steps: taken.map(({ recipe }) => recipe()),
})

const restoreBoard = (board: Board): StepOptions => ({
  aspect: 'board_trashed',
  wanted: false,
  targets: [board.board_id],
  before: () => 'without images',
  board,
  boardName: board.board_name,
})

const restoreImages = (targets: readonly string[]): StepOptions => ({
  aspect: 'trashed',
  wanted: false,
  targets,
  before: () => true,
})

const NOTHING_DONE: Outcome = { done: [], failed: [] }
