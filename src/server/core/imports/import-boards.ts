import { MAX_BOARD_NAME_LENGTH } from '#contract/limits.ts'
import type { ImportPlan } from './active-imports.ts'
import type { ImportSource, SourceEntry } from './import-ports.ts'
import type { ImportRecords } from './import-records.ts'

/** Cleans a board name: readable text of at most `MAX_BOARD_NAME_LENGTH` characters. */
export const cleanBoardName = (name: string): string => {
  const text = name
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
  if (text.length <= MAX_BOARD_NAME_LENGTH) return text
  return `${text.slice(0, MAX_BOARD_NAME_LENGTH - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

/** The target boards of an import. Each is looked up or created with its first image. */
export class BoardsOfImport {
  readonly #records: ImportRecords
  readonly #plan: Pick<ImportPlan, 'boards' | 'board_name'>
  /** By name. */
  readonly #ids = new Map<string, Promise<string>>()
  /** IDs by the keys of the source, because two boards may have the same name. */
  readonly #known = new Map<string, Promise<string>>()

  constructor(records: ImportRecords, plan: Pick<ImportPlan, 'boards' | 'board_name'>) {
    this.#records = records
    this.#plan = plan
  }

  /** Creates the boards of which the source has more data than a name, including empty ones. */
  async prepare(source: ImportSource): Promise<void> {
    if (this.#plan.boards !== 'folders') return
    const seen = new Map<string, number>()
    for await (const { cover: _, boardKey, ...board } of source.boards()) {
      const boardName = cleanBoardName(board.boardName)
      const nth = seen.get(boardName) ?? 0
      seen.set(boardName, nth + 1)
      const id = this.#records.addBoard({ ...board, boardName, nth })
      this.#known.set(boardKey, id)
      if (nth === 0) this.#ids.set(boardName, id)
      await id
    }
  }

  /** Sets the covers given by the source. Call it after the images were imported. */
  async finish(source: ImportSource, uploadIdOf: (identity: string) => string): Promise<void> {
    if (this.#plan.boards !== 'folders') return
    for await (const { boardKey, cover } of source.boards()) {
      const boardId = await this.#known.get(boardKey)
      if (cover === null || boardId === undefined) continue
      await this.#records.setCover(boardId, uploadIdOf(cover))
    }
  }

  async idFor(entry: SourceEntry): Promise<string | null> {
    const known =
      this.#plan.boards === 'folders' ? this.#known.get(entry.boardKey ?? '') : undefined
    if (known !== undefined) return known
    const name = this.#nameFor(entry)
    if (name === null || name === '') return null
    const id = this.#ids.get(name) ?? this.#records.boardNamed(name)
    this.#ids.set(name, id)
    return id
  }

  /** Clears the cached IDs, so that a board deleted meanwhile is created again. */
  forget(): void {
    this.#ids.clear()
    this.#known.clear()
  }

  #nameFor({ boardName }: SourceEntry): string | null {
    const { boards, board_name } = this.#plan
    if (boards === 'none') return null
    if (boards === 'one') return board_name
    return boardName === null ? null : cleanBoardName(boardName)
  }
}
