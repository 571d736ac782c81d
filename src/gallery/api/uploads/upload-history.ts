import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import { nounOfNames } from '#gallery/api/images/noun.ts'
import type { Journal } from '#gallery/api/journal/journal.ts'
import type { UploadTarget } from './upload.ts'

/** The maximum number of images of an entry. The entry is stored after each request, which would take long if larger. */
const MAX_IMAGES = 5_000

interface OpenEntry {
  readonly id: string
  readonly made: readonly string[]
}

type UploadJournal = Pick<Journal, 'add' | 'confirm' | 'describe' | 'getState'>

/** Adds uploads to the journal while they run, so that Undo also finds them after a reload. */
export class UploadHistory {
  readonly #journal: UploadJournal
  /** The entry of each target board that gets further images. */
  readonly #open = new Map<string | null, OpenEntry>()

  constructor({ journal }: { readonly journal: UploadJournal }) {
    this.#journal = journal
  }

  add(target: UploadTarget, imageNames: readonly string[]): void {
    if (imageNames.length === 0) return
    const { boardId, label: boardName } = target
    const open = this.#openEntry(boardId, imageNames.length)
    const made = [...(open?.made ?? []), ...imageNames]
    const described = {
      action: { kind: 'upload', count: made.length, noun: nounOfNames(made), boardName },
      thumbnails: made.slice(0, 3),
      recipe: {
        kind: 'work',
        batchIds: [],
        itemIds: [],
        made,
        boards: [[boardId ?? UNCATEGORIZED_BOARD_ID, made]],
      },
    } as const
    const id = open?.id ?? this.#journal.add(described, null)
    if (open) this.#journal.describe(id, described)
    this.#journal.confirm(id)
    this.#open.set(boardId, { id, made })
  }

  /** Ends all entries. Later uploads get new ones. */
  end(): void {
    this.#open.clear()
  }

  #openEntry(boardId: string | null, count: number): OpenEntry | undefined {
    const open = this.#open.get(boardId)
    if (open === undefined || open.made.length + count > MAX_IMAGES) return undefined
    const entry = this.#journal.getState().find(({ id }) => id === open.id)
    return entry?.state === 'done' ? open : undefined
  }
}
