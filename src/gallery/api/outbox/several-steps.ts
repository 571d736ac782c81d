import { notifyManager } from '@tanstack/react-query'
import type { Runner } from '#gallery/api/journal/journal-types.ts'
import type { StepsRecipe } from '#gallery/api/journal/recipe.ts'
import type { StepAction } from './outbox-events.ts'
import type { Outcome } from './outbox-open-steps.ts'
import { takeStep } from './outbox-steps.ts'
import { isFinal, type Step, type StepOptions, type StepsApi } from './step-options.ts'
import { redoOptions, runnerOfStep } from './undo-step.ts'

interface Repeated {
  readonly id: string
  readonly isQuiet: boolean
}

/**
 * Takes the steps of one action, such as renaming all boards of a group. They are one entry of the journal. If the server
 * refuses some of them, the others stay, and Undo reverts those.
 *
 * @param repeats - The undone action that these steps repeat.
 */
export function takeSteps(
  api: StepsApi,
  action: StepAction,
  options: readonly StepOptions[],
  repeats?: Repeated,
): Step {
  const steps = notifyManager.batch(() =>
    options.map((step) => takeStep(api, { ...step, isMember: true })),
  )
  const outcome = Promise.all(steps.map((step) => step.outcome)).then(joined)
  let isUndone = false
  const revert: Runner['undo'] = async ({ isQuiet }) => {
    isUndone = true
    if (!isQuiet) api.emit({ kind: 'undone', action })
    const members = steps.map((step, at) => ({ aspect: options[at]?.aspect, undo: step.revert }))
    return undoInTurns(members)
  }
  const isLocal = isFinal(action.aspect)
  const entry = repeats?.id ?? api.journal.add({ action, thumbnails: [], isLocal }, revert)
  if (repeats) api.journal.attach(entry, revert)
  const saveRecipe = () =>
    api.journal.save(entry, { kind: 'steps', steps: steps.map((step) => step.recipe()) })
  saveRecipe()
  const undo = () => void api.journal.undo(entry)

  void outcome.then(({ done, failed }) => {
    if (isFinal(action.aspect) && !isUndone) {
      api.journal.forget(entry)
      api.emit({ kind: 'final', action })
    } else if (done.length === 0 && !repeats) api.journal.forget(entry)
    else {
      saveRecipe()
      if (!repeats) api.journal.confirm(entry)
    }
    // The journal reports a refused Redo.
    if (failed.length === 0 || repeats) return
    const names = new Set(failed.map(({ name }) => name))
    const refused = options.filter(({ targets }) => targets.some((target) => names.has(target)))
    const failedBoards = refused.map(({ board }) => board?.board_name ?? '')
    const retry = () => void takeSteps(api, { ...action, count: refused.length }, refused)
    api.emit({
      kind: 'refused',
      action,
      failed,
      failedBoards,
      doneCount: 0,
      isListed: false,
      retry,
    })
  })
  if (repeats?.isQuiet !== true) api.emit({ kind: 'taken', action, undo })
  return { outcome, undo }
}

/** Returns the Undo and the Redo of an action of several steps, of an earlier page or another tab. */
export function runnerOfSteps(
  api: StepsApi,
  entry: { readonly id: string; readonly action: StepAction },
  { steps }: StepsRecipe,
): Runner {
  const { id, action } = entry
  return {
    undo: async ({ isQuiet }) => {
      if (!isQuiet) api.emit({ kind: 'undone', action })
      const members = steps.map((step) => ({
        aspect: step.options.aspect,
        undo: runnerOfStep(api, entry, step).undo,
      }))
      return undoInTurns(members)
    },
    redo: ({ isQuiet }) => {
      const again = steps.map(({ options, had }) => redoOptions({ ...options, had }))
      return takeSteps(api, action, again, { id, isQuiet }).outcome
    },
  }
}

interface Member {
  readonly aspect: StepOptions['aspect'] | undefined
  readonly undo: Runner['undo']
}

/**
 * Undoes steps in reverse: a board that was restored before other images returns to the trash after them. Steps of one
 * aspect are independent of each other, so they are undone together.
 */
async function undoInTurns(members: readonly Member[]): Promise<Outcome> {
  const turns: Member[][] = []
  for (const member of members) {
    const turn = turns.at(-1)
    if (turn !== undefined && turn[0]?.aspect === member.aspect) turn.push(member)
    else turns.push([member])
  }
  const outcomes: Outcome[] = []
  for (const turn of turns.toReversed()) {
    const undone = notifyManager.batch(() => turn.map(({ undo }) => undo({ isQuiet: true })))
    outcomes.push(...(await Promise.all(undone)))
  }
  return joined(outcomes)
}

export const joined = (outcomes: readonly Outcome[]): Outcome => ({
  done: outcomes.flatMap(({ done }) => done),
  failed: outcomes.flatMap(({ failed }) => failed),
})
