import { notifyManager } from '@tanstack/react-query'
import type { ImageView } from '#gallery/api/images/image-windows.ts'
import type { Noun } from '#gallery/api/images/noun.ts'
import { type ShownRule, showChange } from '#gallery/api/images/show-change.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import { isBulk } from './bulk-changes.ts'
import type { Outcome } from './outbox-open-steps.ts'
import { beginBulk, takeStep } from './outbox-steps.ts'
import {
  actionOf,
  isFinal,
  isInParts,
  type Step,
  type StepOptions,
  type StepsApi,
} from './step-options.ts'

/** The maximum wait for the next paint, in milliseconds. */
const MAX_PAINT_WAIT_MS = 100

type OptionsOf = (imageNames: readonly string[]) => StepOptions

/** Images that are selected by their positions in a view. Their names may have to be fetched. */
export interface ImageRule extends ShownRule {
  /** The word for all of them, also those that are not loaded. */
  readonly noun: Noun
  /** @throws If the server does not return the names. */
  readonly names: () => Promise<readonly string[]>
}

/** Images to act on: their names, or a rule. */
export type Images = readonly string[] | ImageRule

/** Takes a step with named images or with images at positions of a view. */
export const takeImageStep = (api: StepsApi, images: Images, optionsOf: OptionsOf): Step =>
  'positions' in images ? takeRuleStep(api, images, optionsOf) : takeStep(api, optionsOf(images))

/**
 * Takes a step with images at positions of a view. The loaded images, totals and counts change at once. When the image
 * names are loaded, the step is added to the outbox. If they cannot be loaded, the change is rolled back.
 */
function takeRuleStep(api: StepsApi, rule: ImageRule, optionsOf: OptionsOf): Step {
  const loaded = api.imageCache.recordsAt(rule.view, rule.positions)
  const options = optionsOf(loaded.map(({ image_name }) => image_name))
  const from = rule.view.boardId ?? undefined
  const action = actionOf(api, options, new Map([[from, []]]), {
    count: rule.positions.length,
    noun: rule.noun,
  })
  if (options.aspect === 'board' && rule.view.boardId === options.wanted) {
    api.emit({ kind: 'nothing', action })
    return { outcome: Promise.resolve(NOTHING_DONE), undo: () => {} }
  }

  const allowUnload = confirmUnload()
  const loading = rule.names()
  let shown = showChange(api, { ...options, rule })
  let isUndone = false
  const thumbnails = options.targets.slice(0, 3)
  const isLocal = isFinal(options.aspect)
  const entry = api.journal.add({ action, thumbnails, isLocal }, async ({ isQuiet }) => {
    isUndone = true
    allowUnload()
    bulk?.discard()
    shown()
    if (!isQuiet) api.emit({ kind: 'undone', action })
    // Without the names it cannot be repeated.
    api.journal.forget(entry)
    return NOTHING_DONE
  })
  const undo = () => void api.journal.undo(entry)
  const { heldMs = 0 } = options
  const bulk = isBulk(action)
    ? beginBulk(api, { action, heldMs, targets: options.targets, undo })
    : undefined

  const run = async (): Promise<Outcome> => {
    const [names] = await Promise.all([loading, nextPaint()])
    if (isUndone) return NOTHING_DONE
    const ofAll = optionsOfAll(options, rule.view, names)
    notifyManager.batch(() => {
      shown()
      shown = showChange(api, ofAll)
    })
    await yieldToEventLoop()
    if (isUndone) return NOTHING_DONE
    const step = takeStep(api, { ...ofAll, shown, continues: { action, undo, entry, bulk } })
    allowUnload()
    return step.outcome
  }
  const outcome = run().catch((error: unknown) => {
    if (isUndone) return NOTHING_DONE
    allowUnload()
    bulk?.discard()
    api.journal.forget(entry)
    shown()
    const retry = () => void takeRuleStep(api, rule, optionsOf)
    api.emit({ kind: 'unnamed', action, reason: reasonOf(error), retry })
    return NOTHING_DONE
  })
  const isListed = bulk !== undefined
  if (isInParts(action)) api.emit({ kind: 'in parts', action, doneCount: 0, isListed, undo })
  else api.emit({ kind: 'taken', action, undo })
  return { outcome, undo }
}

/** Resolves after the next paint. Processing tens of thousands of names would block it. */
const nextPaint = (): Promise<void> =>
  new Promise((resolve) => {
    if ('requestAnimationFrame' in globalThis) requestAnimationFrame(() => setTimeout(resolve))
    // Hidden tabs do not paint.
    setTimeout(resolve, MAX_PAINT_WAIT_MS)
  })

/**
 * Makes the browser ask before the page is unloaded. While the image names are unknown, the change cannot be
 * stored.
 *
 * @returns A function that allows unloading again.
 */
export function confirmUnload(): () => void {
  if (!('document' in globalThis)) return () => {}
  const ask = (event: BeforeUnloadEvent) => event.preventDefault()
  window.addEventListener('beforeunload', ask)
  return () => window.removeEventListener('beforeunload', ask)
}

const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

const NOTHING_DONE: Outcome = { done: [], failed: [] }

/** Extends the options to all images of a rule. All images of a board's view are on that board. */
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
      boards: boardId === null ? boards : { get: () => boardId },
    }),
  }
}
