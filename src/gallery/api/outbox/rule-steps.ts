import { notifyManager } from '@tanstack/react-query'
import { queryClient } from '#gallery/api/connection/connection.ts'
import { recordsAt } from '#gallery/api/images/image-cache.ts'
import type { ImageView } from '#gallery/api/images/image-windows.ts'
import { showChange } from '#gallery/api/images/show-change.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import { emitOutboxEvent } from './outbox-events.ts'
import type { Outcome } from './outbox-open-steps.ts'
import {
  actionOf,
  isFinal,
  isInParts,
  once,
  type Step,
  type StepOptions,
  takeStep,
} from './outbox-steps.ts'
import { pushUndo } from './undo.ts'

/** How long what a person did waits for the page to be drawn before it goes on, in milliseconds. */
const MAX_UNDRAWN_MS = 100

type OptionsOf = (imageNames: readonly string[]) => StepOptions

/**
 * Resolves when what was changed is on the screen. To go through tens of thousands of names takes longer
 * than a person is to wait, also where they are there already.
 */
const untilDrawn = (): Promise<void> =>
  new Promise((resolve) => {
    if ('requestAnimationFrame' in globalThis) requestAnimationFrame(() => setTimeout(resolve))
    // A tab that nobody looks at draws nothing.
    setTimeout(resolve, MAX_UNDRAWN_MS)
  })

/**
 * Lets the browser ask before the page is left: of images that have no names yet nothing could be kept
 * that the next page would understand.
 *
 * @returns What ends that.
 */
function askBeforeLeaving(): () => void {
  if (!('document' in globalThis)) return () => {}
  const ask = (event: BeforeUnloadEvent) => event.preventDefault()
  window.addEventListener('beforeunload', ask)
  return () => window.removeEventListener('beforeunload', ask)
}

/** Lets the page do first what else it has to do. */
const giveWay = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

const NOTHING_DONE: Outcome = { done: [], failed: [] }

/** Takes a step with images. */
export const takeStepWith = (images: Images, optionsOf: OptionsOf): Step =>
  isRule(images) ? takeRuleStep(images, optionsOf) : takeStep(optionsOf(images))

/**
 * Takes a step with images that are chosen by a rule. It shows at once on all that is loaded, in totals and
 * in counts; the names are asked for meanwhile, and with them it goes into the outbox. Without an answer
 * everything is put back.
 */
function takeRuleStep(rule: ImageRule, optionsOf: OptionsOf): Step {
  const loaded = recordsAt(queryClient, rule.view, rule.positions)
  const options = optionsOf(loaded.map(({ image_name }) => image_name))
  const action = actionOf(options, rule.positions.length)
  if (options.aspect === 'board' && rule.view.boardId === options.wanted) {
    emitOutboxEvent({ kind: 'nothing', action })
    return { outcome: Promise.resolve(NOTHING_DONE), undo: () => {} }
  }

  const mayLeave = askBeforeLeaving()
  const naming = rule.names()
  let shown = showChange({ ...options, rule })
  let named: Step | null = null
  let isTakenBack = false
  const undo = once(() => {
    forgetUndo()
    if (named) return named.undo()
    isTakenBack = true
    mayLeave()
    shown()
    emitOutboxEvent({ kind: 'undone', action })
  })
  const forgetUndo = pushUndo({ undo })

  const goOn = async (): Promise<Outcome> => {
    const [names] = await Promise.all([naming, untilDrawn()])
    if (isTakenBack) return NOTHING_DONE
    const ofAll = optionsOfAll(options, rule.view, names)
    notifyManager.batch(() => {
      shown()
      shown = showChange(ofAll)
    })
    await giveWay()
    if (isTakenBack) return NOTHING_DONE
    const step = takeStep({ ...ofAll, shown, goesOnWith: { action, undo } })
    named = step
    mayLeave()
    const outcome = await step.outcome
    if (isFinal(options.aspect) || outcome.done.length === 0) forgetUndo()
    return outcome
  }
  const outcome = goOn().catch((error: unknown) => {
    if (isTakenBack) return NOTHING_DONE
    mayLeave()
    forgetUndo()
    shown()
    const retry = () => void takeRuleStep(rule, optionsOf)
    emitOutboxEvent({ kind: 'unnamed', action, reason: reasonOf(error), retry })
    return NOTHING_DONE
  })
  if (isInParts(action)) emitOutboxEvent({ kind: 'in parts', action, doneCount: 0, undo })
  else emitOutboxEvent({ kind: 'taken', action, undo })
  return { outcome, undo }
}

/** What was known of the images that are loaded, for all of a rule. All of a board's view are on that board. */
function optionsOfAll(
  options: StepOptions,
  { boardId }: ImageView,
  imageNames: readonly string[],
): StepOptions {
  const { aspect, before, boards } = options
  const unknown = aspect === 'board' ? (boardId ?? undefined) : undefined
  return {
    ...options,
    targets: imageNames,
    before: (name) => before(name) ?? unknown,
    ...(boards && {
      boards: boardId === null ? boards : new Map(imageNames.map((name) => [name, boardId])),
    }),
  }
}

/** Images that are chosen by where they stand in a view. Their names may have to be fetched. */
export interface ImageRule {
  readonly view: ImageView
  /** Ascending. */
  readonly positions: readonly number[]
  /** @throws Where the server does not tell. */
  readonly names: () => Promise<readonly string[]>
}

/** Images to act on: named, or by a rule. */
export type Images = readonly string[] | ImageRule

const isRule = (images: Images): images is ImageRule => 'positions' in images
