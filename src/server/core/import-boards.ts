import { MAX_BOARD_NAME_LENGTH } from '#contract/limits.ts'
import type { ImportSource, SourceEntry } from './import-ports.ts'
import type { ImportPlan } from './import-progress.ts'
import type { ImportRecords } from './import-records.ts'

/** A board's name as it is kept: readable text, and no longer than a board's name may be. */
export const cleanBoardName = (name: string): string => {
  const text = name
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
  if (text.length <= MAX_BOARD_NAME_LENGTH) return text
  return `${text.slice(0, MAX_BOARD_NAME_LENGTH - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

/** The boards that an import fills: each is looked up, or made, when its first image comes. */
export class BoardsOfImport {
  readonly #records: ImportRecords
  readonly #plan: Pick<ImportPlan, 'boards' | 'board_name'>
  readonly #ids = new Map<string, Promise<string>>()

  constructor(records: ImportRecords, plan: Pick<ImportPlan, 'boards' | 'board_name'>) {
    this.#records = records
    this.#plan = plan
  }

  /** Makes the boards of which the source knows more than a name, empty ones too. */
  async prepare(source: ImportSource): Promise<void> {
    if (this.#plan.boards !== 'folders') return
    for await (const { cover: _, ...board } of source.boards()) {
      const boardName = cleanBoardName(board.boardName)
      this.#ids.set(boardName, this.#records.addBoard({ ...board, boardName }))
      await this.#ids.get(boardName)
    }
  }

  /** Sets the covers that the source knows, now that the images are there. */
  async finish(source: ImportSource, uploadIdOf: (identity: string) => string): Promise<void> {
    if (this.#plan.boards !== 'folders') return
    for await (const { boardName, cover } of source.boards()) {
      const boardId = await this.#ids.get(cleanBoardName(boardName))
      if (cover === null || boardId === undefined) continue
      await this.#records.setCover(boardId, uploadIdOf(cover))
    }
  }

  /** null: on no board. */
  async idFor(entry: SourceEntry): Promise<string | null> {
    const name = this.#nameFor(entry)
    if (name === null || name === '') return null
    const id = this.#ids.get(name) ?? this.#records.boardNamed(name)
    this.#ids.set(name, id)
    return id
  }

  /** Looks all boards up anew: one was deleted meanwhile. */
  forget(): void {
    this.#ids.clear()
  }

  #nameFor({ boardName }: SourceEntry): string | null {
    const { boards, board_name } = this.#plan
    if (boards === 'none') return null
    if (boards === 'one') return board_name
    return boardName === null ? null : cleanBoardName(boardName)
  }
}
