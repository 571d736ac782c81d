import { clear, createStore, get, promisifyRequest, type UseStore } from 'idb-keyval'
import type { JournalEntries } from './journal-state.ts'
import { type PackedRecipe, packed, type Recipe, unpacked } from './recipe.ts'

const LIST = 'entries'

export interface RecipeChanges {
  readonly saved?: { readonly id: string; readonly recipe: Recipe } | undefined
  /** The IDs of entries that no longer exist. */
  readonly deleted?: readonly string[] | undefined
}

/**
 * The journal in IndexedDB, which all tabs share: the list of entries, and the recipe of each. Without storage, as in
 * some private windows, the journal is lost on reload.
 */
export class JournalStorage {
  #store: UseStore | undefined
  /** Recipes that are not in the storage yet, or cannot be. */
  readonly #unwritten = new Map<string, Recipe>()

  async load(): Promise<JournalEntries> {
    return (await this.#try((store) => get<JournalEntries>(LIST, store))) ?? []
  }

  /**
   * Changes the stored list, and stores and deletes recipes. One transaction does all of it: no change of another tab is
   * lost, and a page that closes meanwhile leaves no entry without its recipe.
   */
  async change(
    apply: (entries: JournalEntries) => JournalEntries,
    { saved, deleted = [] }: RecipeChanges = {},
  ): Promise<void> {
    if (saved) this.keepInMemory(saved.id, saved.recipe)
    for (const id of deleted) this.#unwritten.delete(id)
    await this.#try(async (store) => {
      await store('readwrite', (objects) => {
        const list: IDBRequest<JournalEntries | undefined> = objects.get(LIST)
        list.onsuccess = () => {
          objects.put(apply(list.result ?? []), LIST)
          // Now, and not after the answers, because a page that closes before the commit loses the change.
          objects.transaction.commit()
        }
        if (saved) objects.put(packed(saved.recipe), saved.id)
        for (const id of deleted) objects.delete(id)
        return promisifyRequest(objects.transaction)
      })
      if (saved && this.#unwritten.get(saved.id) === saved.recipe) this.#unwritten.delete(saved.id)
    })
  }

  /** Keeps the recipe of an entry that is not stored. */
  keepInMemory(id: string, recipe: Recipe): void {
    this.#unwritten.set(id, recipe)
  }

  async recipe(id: string): Promise<Recipe | undefined> {
    const unwritten = this.#unwritten.get(id)
    if (unwritten) return unwritten
    const stored = await this.#try((store) => get<PackedRecipe>(id, store))
    return stored && unpacked(stored)
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
