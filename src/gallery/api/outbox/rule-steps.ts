import { notifyManager } from '@tanstack/react-query'
import type { ImageCache } from '#gallery/api/images/image-cache.ts'
import type { ImageView } from '#gallery/api/images/image-windows.ts'
import type { Shown, ShownChange } from '#gallery/api/images/show-change.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import type { OutboxEvent } from './outbox-events.ts'
import type { Outcome } from './outbox-open-steps.ts'
import {
  actionOf,
  isFinal,
  isInParts,
  type OutboxSteps,
  once,
  type Step,
  type StepOptions,
} from './outbox-steps.ts'
import type { UndoStack } from './undo.ts'

/** The maximum wait for the next paint, in milliseconds. */
const MAX_PAINT_WAIT_MS = 100

type OptionsOf = (imageNames: readonly string[]) => StepOptions

/** Images that are selected by their positions in a view. Their names may have to be fetched. */
export interface ImageRule {
  readonly view: ImageView
  /** Ascending. */
  readonly positions: readonly number[]
  /** @throws If the server does not return the names. */
  readonly names: () => Promise<readonly string[]>
}

/** Images to act on: their names, or a rule. */
export type Images = readonly string[] | ImageRule

interface RuleStepsOptions {
  readonly imageCache: ImageCache
  readonly show: (change: ShownChange) => Shown
  readonly undo: UndoStack
  readonly steps: OutboxSteps
  readonly emit: (event: OutboxEvent) => void
}

/** Takes steps with images that a rule selects. */
export class RuleSteps {
  readonly #api: RuleStepsOptions

  constructor(api: RuleStepsOptions) {
    this.#api = api
  }

  /** Takes a step with named images or with images at positions of a view. */
  readonly take = (images: Images, optionsOf: OptionsOf): Step =>
    isRule(images) ? this.#takeRuleStep(images, optionsOf) : this.#api.steps.take(optionsOf(images))

  /**
   * Takes a step with images at positions of a view. The loaded images, totals and counts change at once. When the
   * image names are loaded, the step is added to the outbox. If they cannot be loaded, the change is rolled back.
   */
  #takeRuleStep(rule: ImageRule, optionsOf: OptionsOf): Step {
    const loaded = this.#api.imageCache.recordsAt(rule.view, rule.positions)
    const options = optionsOf(loaded.map(({ image_name }) => image_name))
    const action = actionOf(options, rule.positions.length)
    if (options.aspect === 'board' && rule.view.boardId === options.wanted) {
      this.#api.emit({ kind: 'nothing', action })
      return { outcome: Promise.resolve(NOTHING_DONE), undo: () => {} }
    }

    const allowUnload = confirmUnload()
    const loading = rule.names()
    let shown = this.#api.show({ ...options, rule })
    let named: Step | null = null
    let isUndone = false
    const undo = once(() => {
      forgetUndo()
      if (named) return named.undo()
      isUndone = true
      allowUnload()
      shown()
      this.#api.emit({ kind: 'undone', action })
    })
    const forgetUndo = this.#api.undo.push({ undo })

    const run = async (): Promise<Outcome> => {
      const [names] = await Promise.all([loading, nextPaint()])
      if (isUndone) return NOTHING_DONE
      const ofAll = optionsOfAll(options, rule.view, names)
      notifyManager.batch(() => {
        shown()
        shown = this.#api.show(ofAll)
      })
      await yieldToEventLoop()
      if (isUndone) return NOTHING_DONE
      const step = this.#api.steps.take({ ...ofAll, shown, goesOnWith: { action, undo } })
      named = step
      allowUnload()
      const outcome = await step.outcome
      if (isFinal(options.aspect) || outcome.done.length === 0) forgetUndo()
      return outcome
    }
    const outcome = run().catch((error: unknown) => {
      if (isUndone) return NOTHING_DONE
      allowUnload()
      forgetUndo()
      shown()
      const retry = () => void this.#takeRuleStep(rule, optionsOf)
      this.#api.emit({ kind: 'unnamed', action, reason: reasonOf(error), retry })
      return NOTHING_DONE
    })
    if (isInParts(action)) this.#api.emit({ kind: 'in parts', action, doneCount: 0, undo })
    else this.#api.emit({ kind: 'taken', action, undo })
    return { outcome, undo }
  }
}

/**
 * Resolves after the next paint. Processing tens of thousands of names blocks the page, so the optimistic update must
 * be on the screen first.
 */
const nextPaint = (): Promise<void> =>
  new Promise((resolve) => {
    if ('requestAnimationFrame' in globalThis) requestAnimationFrame(() => setTimeout(resolve))
    // Hidden tabs do not paint.
    setTimeout(resolve, MAX_PAINT_WAIT_MS)
  })

/**
 * Makes the browser ask before the page is unloaded. While the image names are unknown, the journal cannot contain the
 * change.
 *
 * @returns A function that allows unloading again.
 */
function confirmUnload(): () => void {
  if (!('document' in globalThis)) return () => {}
  const ask = (event: BeforeUnloadEvent) => event.preventDefault()
  window.addEventListener('beforeunload', ask)
  return () => window.removeEventListener('beforeunload', ask)
}

/** Yields to the event loop. */
const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

const NOTHING_DONE: Outcome = { done: [], failed: [] }

/**
 * Extends the options for the loaded images to all images of a rule. All images of a board's view are on that board.
 */
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

const isRule = (images: Images): images is ImageRule => 'positions' in images
