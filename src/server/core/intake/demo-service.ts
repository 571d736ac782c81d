import type { DemoProgress } from '#contract/server/app-operations.ts'
import type { Clock } from '#server/core/clock.ts'
import type { BoardRecords } from '#server/core/record-ports.ts'
import type { IngestService } from './ingest-service.ts'
import { once } from './new-image-of.ts'

export interface DemoPicture {
  bytes: Uint8Array
  fileName: string
  /** Milliseconds since 1970. */
  takenAt: number
  description: { starred: boolean; boardName: string | null }
}

export interface DemoParts {
  ingest: Pick<IngestService, 'ingest'>
  boards: Pick<BoardRecords, 'list' | 'create'>
  /** Draws `count` pictures, oldest first. The newest has the date `newest`. */
  draw: (count: number, options: { newest: number }) => AsyncIterable<DemoPicture>
  clock: Clock
}

/** Fills a demo library with the same steps as an upload. */
export class DemoService {
  readonly #parts: DemoParts

  constructor(parts: DemoParts) {
    this.#parts = parts
  }

  /**
   * Adds pictures and yields the progress after each one. It stops if the consumer stops iterating; added pictures
   * remain.
   *
   * @throws {Refusal} `disk_full`.
   */
  async *fill(count: number): AsyncGenerator<DemoProgress> {
    const { ingest, draw, clock } = this.#parts
    const boardIds = await this.#boardIds()
    let done = 0
    for await (const { bytes, fileName, takenAt, description } of draw(count, {
      newest: clock(),
    })) {
      const boardId = await this.#boardId(boardIds, description.boardName)
      await ingest.ingest({
        source: once(bytes),
        fileName,
        category: 'general',
        boardId,
        takenAt,
        createdAt: takenAt,
        starred: description.starred,
      })
      done++
      yield { done, total: count }
    }
  }

  /** Returns existing boards, so that filling a second time creates no duplicates. */
  async #boardIds(): Promise<Map<string, string>> {
    const { items } = await this.#parts.boards.list({
      orderBy: 'created_at',
      direction: 'DESC',
      includeArchived: false,
    })
    return new Map(items.map((board) => [board.board_name, board.board_id]))
  }

  async #boardId(known: Map<string, string>, boardName: string | null) {
    if (boardName === null) return undefined
    const boardId =
      known.get(boardName) ??
      (await this.#parts.boards.create({ board_name: boardName, board_visibility: 'shared' }))
        .board_id
    known.set(boardName, boardId)
    return boardId
  }
}
