import { clear, createStore, delMany, get, set, type UseStore, update } from 'idb-keyval'
import { type Clock, sleep } from '#gallery/api/clock.ts'
import type { JournalEntries } from './journal-state.ts'
import { type PackedRecipe, packed, type Recipe, unpacked } from './recipe.ts'

const LIST = 'entries'

/**
 * The journal in IndexedDB, which all tabs share: the list of entries, and the recipe of each. Without storage, as in
 * some private windows, the journal is lost on reload.
 */
export class JournalStorage {
  readonly #clock: Clock
  #store: UseStore | undefined
  /** Recipes that are not in the storage yet, or cannot be. */
  readonly #unwritten = new Map<string, Recipe>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async load(): Promise<JournalEntries> {
    return (await this.#try((store) => get<JournalEntries>(LIST, store))) ?? []
  }

  /** Changes the stored list in one transaction, so that no change of another tab is lost. */
  async change(apply: (entries: JournalEntries) => JournalEntries): Promise<void> {
    await this.#try((store) =>
      update<JournalEntries>(LIST, (entries = []) => apply(entries), store),
    )
  }

  /** @param options.isWritten - False keeps the recipe in memory only. */
  async saveRecipe(
    id: string,
    recipe: Recipe,
    { isWritten }: { isWritten: boolean },
  ): Promise<void> {
    this.#unwritten.set(id, recipe)
    if (!isWritten) return
    // Let the browser paint the optimistic update first.
    await sleep(this.#clock, 0)
    if (this.#unwritten.get(id) !== recipe) return
    await this.#try(async (store) => {
      await set(id, packed(recipe), store)
      if (this.#unwritten.get(id) === recipe) this.#unwritten.delete(id)
    })
  }

  async recipe(id: string): Promise<Recipe | undefined> {
    const unwritten = this.#unwritten.get(id)
    if (unwritten) return unwritten
    const stored = await this.#try((store) => get<PackedRecipe>(id, store))
    return stored && unpacked(stored)
  }

  async deleteRecipes(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.#unwritten.delete(id)
    if (ids.length > 0) await this.#try((store) => delMany([...ids], store))
  }

  async clear(): Promise<void> {
    this.#unwritten.clear()
    await this.#try((store) => clear(store))
  }

  async #try<Result>(run: (store: UseStore) => Promise<Result>): Promise<Result | undefined> {
    try {
      this.#store ??= createStore('tessera-journal', 'journal')
      return await run(this.#store)
    } catch {
      return undefined
    }
  }
}
