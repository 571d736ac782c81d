import type { AddedImage, Import, TesseraClient } from '#client/index.ts'
import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import { nounOfNames } from '#gallery/api/images/noun.ts'
import type { Journal } from '#gallery/api/journal/journal.ts'
import { readStored, store } from './browser-storage.ts'

/** The stored IDs of the imports that this tab has started and that are not in the journal yet. */
const KEY = 'tessera:imports'

interface HistoryApi {
  readonly client: { readonly imports: Pick<TesseraClient['imports'], 'added'> }
  readonly journal: Pick<Journal, 'add' | 'confirm'>
}

/** Adds imports of this tab to the journal when they have ended, also after a reload. */
export class ImportHistory {
  readonly #api: HistoryApi
  readonly #adding = new Set<string>()

  constructor(api: HistoryApi) {
    this.#api = api
  }

  /** Remembers an import of this tab until it has ended. */
  remember(importId: string): void {
    save([...rememberedIds(), importId])
  }

  /** Adds the remembered imports that have ended. Without an answer of the server it does so at the next call. */
  async addEnded(imports: readonly Import[]): Promise<void> {
    for (const importId of rememberedIds()) {
      const one = imports.find(({ import_id }) => import_id === importId)
      const isGoingOn = one?.state === 'running' || one?.state === 'paused'
      if (isGoingOn || this.#adding.has(importId)) continue
      this.#adding.add(importId)
      try {
        if (one) await this.#add(one)
        save(rememberedIds().filter((id) => id !== importId))
      } catch {
        // The next call tries again.
      } finally {
        this.#adding.delete(importId)
      }
    }
  }

  async #add({ import_id, taken_in }: Import): Promise<void> {
    const images = await addedImages(this.#api.client, import_id)
    // A part of an import must not pass for all of it: the server keeps a limited number of names, and none on restart.
    if (images.length === 0 || images.length < taken_in) return
    const made = images.map(({ image_name }) => image_name)
    const { journal } = this.#api
    const entry = journal.add(
      {
        action: { kind: 'import', count: made.length, noun: nounOfNames(made), boardName: '' },
        thumbnails: made.slice(0, 3),
        recipe: { kind: 'work', batchIds: [], itemIds: [], made, boards: byBoard(images) },
      },
      null,
    )
    journal.confirm(entry)
  }
}

async function addedImages(
  { imports }: HistoryApi['client'],
  importId: string,
): Promise<AddedImage[]> {
  const images: AddedImage[] = []
  for (;;) {
    const { items, total } = await imports.added(importId, { offset: images.length })
    images.push(...items)
    if (items.length === 0 || images.length >= total) return images
  }
}

function byBoard(images: readonly AddedImage[]): [boardId: string, imageNames: string[]][] {
  const groups = Map.groupBy(images, ({ board_id }) => board_id ?? UNCATEGORIZED_BOARD_ID)
  return [...groups].map(([boardId, all]) => [boardId, all.map(({ image_name }) => image_name)])
}

const rememberedIds = (): string[] => readStored(KEY, 'sessionStorage')?.split(' ') ?? []

const save = (ids: readonly string[]): void =>
  store(KEY, ids.length === 0 ? null : ids.join(' '), 'sessionStorage')
