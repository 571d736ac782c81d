import { type Clock, sleep } from '#gallery/api/clock.ts'
import type { OtherTabs } from '#gallery/api/connection/other-tabs.ts'
import { Listeners, useSource } from '#gallery/api/listeners.ts'
import type { Outcome } from '#gallery/api/outbox/outbox-open-steps.ts'
import { tabKey } from '#gallery/api/outbox/outbox-storage.ts'
import { isSkipped } from '#gallery/api/outbox/skip-reasons.ts'
import { usePart } from '#gallery/api/parts.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import {
  applyChange,
  type JournalChange,
  type JournalEntries,
  type JournalEntry,
  kindsWithoutImages,
  nextToRedo,
  nextToUndo,
  routeTo,
} from './journal-state.ts'
import { JournalStorage } from './journal-storage.ts'
import type {
  JournalEvent,
  JournalMessage,
  LiveUndo,
  NewEntry,
  Revive,
  RunOptions,
  Verb,
} from './journal-types.ts'
import { countNames, type Recipe, withoutTargets } from './recipe.ts'
import { RunOrder } from './run-order.ts'

interface JournalApi {
  readonly clock: Clock
  readonly tabs: OtherTabs
}

/** The time for another tab to undo an action that it has not sent, in milliseconds. */
const ANSWER_MS = 3_000

/** A pending action of another tab counts as confirmed after so many milliseconds: the tab was closed. */
const ABANDONED_AFTER_MS = 150_000

const OTHER_TAB = 'Another tab has not sent this change yet. Try again in a moment.'
const FORGOTTEN = 'This browser no longer has what is needed for it.'

/**
 * The last actions of the user. Undo takes them back and Redo repeats them, also after a reload and in other tabs. Both
 * apply only to images and boards that are still as the action, or its Undo, left them.
 */
export class Journal {
  readonly #clock: Clock
  readonly #tabs: OtherTabs
  readonly #storage = new JournalStorage()
  readonly #tab = tabKey()
  readonly #revive: Revive
  #entries: JournalEntries = []
  readonly #local = new Set<string>()
  /** Actions that other tabs and the storage do not have yet, because their recipe is unknown. */
  readonly #unstored = new Set<string>()
  readonly #live = new Map<string, LiveUndo>()
  readonly #order = new RunOrder()
  #count = 0
  #stored: Promise<void> = Promise.resolve()
  readonly #changes = new Listeners()
  readonly subscribe = this.#changes.add
  readonly events = new Listeners<JournalEvent>()

  constructor({ clock, tabs }: JournalApi, revive: Revive) {
    this.#revive = revive
    this.#clock = clock
    this.#tabs = tabs
  }

  /** The entries, oldest first. A new array at every change. */
  readonly getState = (): JournalEntries => this.#entries

  /**
   * Loads the actions of earlier pages.
   *
   * @param isResumed - Resolves when the changes of earlier pages are sent.
   */
  start(isResumed: Promise<void>): void {
    void this.#load(isResumed)
  }

  /**
   * Adds an action, with its Undo if it does not run by recipe. Without a recipe it is stored when {@link save} gets one.
   *
   * @returns Its ID.
   */
  add({ isLocal = false, recipe, ...entry }: NewEntry, undo: LiveUndo | null): string {
    this.#count += 1
    const at = this.#clock.now()
    const id = `${at} ${this.#tab} ${this.#count}`
    if (isLocal) this.#local.add(id)
    else if (recipe === undefined) this.#unstored.add(id)
    if (undo) this.#live.set(id, undo)
    const nameCount = recipe === undefined ? 0 : countNames(recipe)
    this.#change(
      {
        kind: 'add',
        entry: { ...entry, id, at, tab: this.#tab, nameCount, state: 'done', isPending: true },
      },
      recipe,
    )
    return id
  }

  /** Describes an action that goes on, such as an upload, with its images so far. */
  describe(id: string, { recipe, ...described }: NewEntry & { readonly recipe: Recipe }): void {
    this.#set(id, { ...described, nameCount: countNames(recipe) }, recipe)
  }

  /** Stores what Undo and Redo of an action need. */
  save(id: string, recipe: Recipe): void {
    const entry = this.#entryOf(id)
    if (entry === undefined) return
    const nameCount = countNames(recipe)
    const patch = { nameCount }
    this.#show({ kind: 'set', id, patch })
    const isFirst = this.#unstored.delete(id)
    this.#store(
      isFirst ? { kind: 'add', entry: { ...entry, nameCount } } : { kind: 'set', id, patch },
      { recipe },
    )
  }

  /** Resolves when the changes so far are stored, or cannot be. A page that is reloaded before loses them. */
  readonly stored = (): Promise<void> => this.#stored

  /** Replaces the Undo of an action that was repeated. */
  attach(id: string, undo: LiveUndo): void {
    if (this.#entryOf(id)) this.#live.set(id, undo)
  }

  /** The server has confirmed the action. */
  confirm(id: string): void {
    const entry = this.#entryOf(id)
    if (entry?.state === 'done' && entry.isPending) this.#set(id, { isPending: false })
  }

  /** Removes an action that had no effect, or that can no longer be undone. */
  forget(id: string): void {
    if (this.#entryOf(id)) this.#change({ kind: 'remove', id })
  }

  /** Removes all actions, because they belong to another account. */
  async clear(): Promise<void> {
    this.#change({ kind: 'clear' })
    await this.#storage.clear()
  }

  /** Undoes the latest action. Returns false if there is nothing to undo. */
  undoLast(options?: RunOptions): boolean {
    const entry = nextToUndo(this.#entries)
    return entry !== undefined && this.undo(entry.id, options)
  }

  /** Redoes the last undone action. Returns false if no action was undone. */
  redoLast(options?: RunOptions): boolean {
    const entry = nextToRedo(this.#entries)
    return entry !== undefined && this.redo(entry.id, options)
  }

  /** Undoes one action. Returns false if it is undone already. */
  undo(id: string, options: RunOptions = { isQuiet: false }): boolean {
    const entry = this.#entryOf(id)
    if (entry?.state !== 'done') return false
    if (this.#isPendingElsewhere(entry)) void this.#askOtherTab(entry)
    else this.#run(entry, 'undo', options)
    return true
  }

  redo(id: string, options: RunOptions = { isQuiet: false }): boolean {
    const entry = this.#entryOf(id)
    if (entry?.state !== 'undone') return false
    this.#run(entry, 'redo', options)
    return true
  }

  /** Goes to the point after an action, or with `null` to the point before all actions. */
  goTo(id: string | null): void {
    const { verb, ids } = routeTo(this.#entries, id)
    const options = { isQuiet: ids.length > 1 }
    const last = this.#entryOf(ids.at(-1) ?? '')
    for (const step of ids) this[verb](step, options)
    if (!options.isQuiet || last === undefined) return
    this.events.emit({ kind: 'several', verb, entry: last, failed: [], count: ids.length })
  }

  applyTabMessage(message: JournalMessage): void {
    if (message.kind === 'change') this.#show(message.change)
    else if (this.#entryOf(message.id)?.tab === this.#tab) this.undo(message.id)
  }

  async #load(isResumed: Promise<void>): Promise<void> {
    const loaded = await this.#storage.load()
    const known = new Set(this.#entries.map(({ id }) => id))
    const earlier = loaded.filter(({ id }) => !known.has(id))
    this.#entries = [...earlier, ...this.#entries]
    this.#changes.emit()
    await isResumed
    for (const { id, tab, isPending } of earlier) {
      if (isPending && tab === this.#tab) this.#set(id, { isPending: false })
    }
  }

  #run(entry: JournalEntry, verb: Verb, options: RunOptions): void {
    const { id } = entry
    const state = verb === 'undo' ? 'undone' : 'done'
    const undoneAt = Math.max(0, ...this.#entries.map((other) => other.undoneAt ?? 0)) + 1
    this.#set(id, { state, undoneAt, isPending: true, tab: this.#tab, problem: undefined })
    const live = verb === 'undo' ? this.#live.get(id) : undefined
    this.#live.delete(id)
    const load = async () => {
      const recipe = await this.#storage.recipe(id)
      const runner = recipe && this.#revive(entry, recipe)
      return runner ? () => runner[verb](options) : async () => refusedAs(FORGOTTEN)
    }
    const outcome = this.#order.run({
      mustWait: isOfWholeBoard(entry) || trashesImages(entry, verb),
      mustBlock: isOfWholeBoard(entry),
      start: live && (() => live(options)),
      load,
    })
    outcome.then(
      (result) => this.#end(entry, verb, result),
      (error: unknown) => this.#end(entry, verb, refusedAs(reasonOf(error))),
    )
  }

  /** Applies the result of Undo or Redo. A refused one can be tried again. */
  #end(before: JournalEntry, verb: Verb, { done, failed }: Outcome): void {
    const { id } = before
    const entry = this.#entryOf(id)
    if (entry === undefined) return
    const refused = failed.filter(({ reason }) => !isSkipped(reason))
    const skipped = failed.filter(({ reason }) => isSkipped(reason))
    const isCurrent = entry.state === (verb === 'undo' ? 'undone' : 'done')
    if (refused.length > 0) {
      const problem = refused[0]?.reason
      if (isCurrent) this.#set(id, { state: before.state, isPending: false, problem })
      const retry = () => void this[verb](id)
      this.events.emit({ kind: 'refused', verb, entry, failed: refused, count: 1, retry })
      return
    }
    if (skipped.length > 0) {
      void this.#narrow(id, new Set(skipped.map(({ name }) => name)))
      this.events.emit({ kind: 'skipped', verb, entry, failed: skipped, count: 1 })
    }
    if (!isCurrent) return
    const problem = skipped[0]?.reason
    const isStale = done.length === 0 && skipped.length > 0
    this.#set(id, { isPending: false, problem, ...(isStale && { state: 'stale' }) })
  }

  /** Removes skipped images from an action, so that its Redo skips them silently. */
  async #narrow(id: string, names: ReadonlySet<string>): Promise<void> {
    const recipe = await this.#storage.recipe(id)
    if (recipe) this.save(id, withoutTargets(recipe, names))
  }

  #isPendingElsewhere({ isPending, tab, at }: JournalEntry): boolean {
    return isPending && tab !== this.#tab && this.#clock.now() < at + ABANDONED_AFTER_MS
  }

  async #askOtherTab(entry: JournalEntry): Promise<void> {
    this.#tabs.notify({ kind: 'journal', message: { kind: 'undo', id: entry.id } })
    await sleep(this.#clock, ANSWER_MS)
    if (this.#entryOf(entry.id)?.state !== 'done') return
    const retry = () => void this.undo(entry.id)
    const { failed } = refusedAs(OTHER_TAB)
    this.events.emit({ kind: 'refused', verb: 'undo', entry, failed, count: 1, retry })
  }

  #entryOf(id: string): JournalEntry | undefined {
    return this.#entries.find((entry) => entry.id === id)
  }

  #set(id: string, patch: Partial<JournalEntry>, recipe?: Recipe): void {
    this.#change({ kind: 'set', id, patch }, recipe)
  }

  /** Applies a change here, in the storage and in the other tabs. */
  #change(change: JournalChange, recipe?: Recipe): void {
    const before = this.#entries
    this.#show(change)
    const left = new Set(this.#entries.map((entry) => entry.id))
    const deleted = before.filter((entry) => !left.has(entry.id)).map((entry) => entry.id)
    this.#store(change, { recipe, deleted })
  }

  /** Applies a change in the storage and in the other tabs, unless they do not know the action. */
  #store(
    change: JournalChange,
    { recipe, deleted }: { recipe?: Recipe | undefined; deleted?: readonly string[] },
  ): void {
    const id = change.kind === 'add' ? change.entry.id : change.kind === 'clear' ? null : change.id
    if (id !== null && (this.#local.has(id) || this.#unstored.has(id))) {
      if (recipe) this.#storage.keepInMemory(id, recipe)
      return
    }
    const saved = id !== null && recipe ? { id, recipe } : undefined
    // IndexedDB makes changes in their order.
    this.#stored = this.#storage.change((entries) => applyChange(entries, change), {
      saved,
      deleted,
    })
    this.#tabs.notify({ kind: 'journal', message: { kind: 'change', change } })
  }

  #show(change: JournalChange): void {
    this.#entries = applyChange(this.#entries, change)
    if (change.kind === 'remove') this.#live.delete(change.id)
    this.#changes.emit()
  }
}

/** True for an action that creates, deletes or restores a board. */
const isOfWholeBoard = ({ action }: JournalEntry): boolean =>
  'aspect' in action &&
  ['board_created', 'board_trashed', 'board_deleted', 'trash_restored'].includes(action.aspect)

/** True for a step that moves images to the trash. */
function trashesImages({ action }: JournalEntry, verb: Verb): boolean {
  if ('kind' in action) {
    if (action.kind === 'duplicates') return verb === 'redo' && action.change === 'resolved'
    return verb === 'undo' && !kindsWithoutImages.includes(action.kind)
  }
  return action.aspect === 'trashed' && (action.wanted === true) === (verb === 'redo')
}

const refusedAs = (reason: string): Outcome => ({ done: [], failed: [{ name: '', reason }] })

/** Returns the entries of the journal, oldest first. Re-renders when they change. */
export const useJournal = (): JournalEntries => useSource(usePart(Journal))

/** True if there is something to undo. Re-renders when that changes. */
export const useCanUndo = (): boolean =>
  useSource(usePart(Journal), (entries) => nextToUndo(entries) !== undefined)

/** True if there is something to redo. Re-renders when that changes. */
export const useCanRedo = (): boolean =>
  useSource(usePart(Journal), (entries) => nextToRedo(entries) !== undefined)
