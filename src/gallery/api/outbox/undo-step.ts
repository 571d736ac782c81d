import { itemCountOf } from '#gallery/api/images/noun.ts'
import type { Runner } from '#gallery/api/journal/journal-types.ts'
import type { StepRecipe } from '#gallery/api/journal/recipe.ts'
import type { StepAction } from './outbox-events.ts'
import type { Outcome } from './outbox-open-steps.ts'
import type { Value } from './outbox-state.ts'
import { takeStep, undoStep } from './outbox-steps.ts'
import { RestoreProgress } from './restore-progress.ts'
import { isFinal, type StepOptions, type StepsApi } from './step-options.ts'

/** Returns the Undo and the Redo of a step of an earlier page or another tab. */
export function runnerOfStep(
  api: StepsApi,
  entry: { readonly id: string; readonly action: StepAction },
  { options, had }: StepRecipe,
): Runner {
  const all = [...had.values()].flat()
  const step = { ...options, targets: all, before: () => undefined }
  return {
    undo: async ({ isQuiet }) => {
      const progress = new RestoreProgress(api, entry.action, isQuiet)
      const reverted = undoStep(api, step, had, progress)
      if (!progress.report() && !isQuiet) api.emit({ kind: 'undone', action: entry.action })
      const outcome = await reverted
      // The created board is deleted permanently, so it cannot be restored.
      if (isFinal(options.aspect) && outcome.failed.length === 0) api.journal.forget(entry.id)
      return outcome
    },
    redo: ({ isQuiet }) => redoStep(api, { ...options, had, entry, isQuiet }),
  }
}

type Redo = StepRecipe['options'] &
  Pick<StepRecipe, 'had'> & {
    readonly entry: { readonly id: string; readonly action: StepAction }
    readonly isQuiet: boolean
  }

/** Repeats an undone step. */
function redoStep(api: StepsApi, { entry, isQuiet, ...recipe }: Redo): Promise<Outcome> {
  return takeStep(api, { ...redoOptions(recipe), repeats: { ...entry, isQuiet } }).outcome
}

/** Returns the step that repeats an undone one, for the images and boards that are still as its Undo left them. */
export function redoOptions({
  had,
  ...options
}: StepRecipe['options'] & Pick<StepRecipe, 'had'>): StepOptions {
  const values = new Map<string, Value>()
  for (const [value, targets] of had) {
    if (value !== undefined) for (const target of targets) values.set(target, value)
  }
  const boards = new Map([...values].map(([target, value]) => [target, String(value)]))
  const { aspect, board, boardImages } = options
  // The names are incomplete if an answer was lost, and the number on the board if images were added meanwhile.
  const maxImages =
    boardImages && Math.max(boardImages.names.length, board ? itemCountOf(board) : 0)
  return {
    ...options,
    targets: [...had.values()].flat(),
    before: (target) => values.get(target),
    isRedo: true,
    ...(aspect === 'board' && { boards }),
    ...(aspect === 'board_trashed' && { maxImages }),
  }
}
