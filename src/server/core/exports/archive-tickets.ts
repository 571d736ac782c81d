import type { DownloadOptions } from '#contract/downloads/download-operations.ts'
import type { Clock } from '#server/core/clock.ts'

/** Time in which a created archive can be downloaded. */
export const TICKET_MS = 10 * 60_000

/** Maximum number of archives waiting for download. A further one replaces the oldest. */
export const MAX_TICKETS = 100

export type ArchiveSource = { boardId: string } | { imageNames: readonly string[] }

/** An archive that waits for its download. */
export interface ArchiveTicket {
  source: ArchiveSource
  fileName: string
  options: DownloadOptions
}

/** Archives that wait for their download. Any process of the library may answer it. */
export interface ArchiveTickets {
  /**
   * Stores a ticket for `TICKET_MS`. Of more than `MAX_TICKETS`, deletes the oldest.
   *
   * @throws {Refusal} `redis_down`.
   */
  add(archiveId: string, ticket: ArchiveTicket): Promise<void>
  /**
   * Returns a ticket that has not expired.
   *
   * @throws {Refusal} `redis_down`.
   */
  get(archiveId: string): Promise<ArchiveTicket | null>
}

/** The tickets of a single process. */
export class LocalArchiveTickets implements ArchiveTickets {
  readonly #clock: Clock
  readonly #tickets = new Map<string, ArchiveTicket & { expiresAt: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async add(archiveId: string, ticket: ArchiveTicket): Promise<void> {
    const now = this.#clock()
    for (const [waiting, { expiresAt }] of this.#tickets) {
      if (expiresAt <= now || this.#tickets.size >= MAX_TICKETS) this.#tickets.delete(waiting)
    }
    this.#tickets.set(archiveId, { ...ticket, expiresAt: now + TICKET_MS })
  }

  async get(archiveId: string): Promise<ArchiveTicket | null> {
    const ticket = this.#tickets.get(archiveId)
    if (ticket === undefined || ticket.expiresAt <= this.#clock()) return null
    const { source, fileName, options } = ticket
    return { source, fileName, options }
  }
}
