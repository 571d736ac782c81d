import { expect, it } from 'vitest'
import { MAX_NAMES_PER_REQUEST } from '#contract/limits.ts'
import {
  type ArchiveTickets,
  MAX_TICKETS,
  TICKET_MS,
} from '#server/core/exports/archive-tickets.ts'

interface OpenTickets {
  tickets: ArchiveTickets
  advance(ms: number): Promise<void> | void
}

const ticket = (fileName: string) => ({
  ...{ source: { boardId: 'portraits' }, fileName },
  options: { names: '{date}_{name}', time_zone: 'Europe/Berlin' },
})

/** Tests that every implementation of `ArchiveTickets` must pass. `open` returns no tickets. */
export const testArchiveTickets = (open: () => Promise<OpenTickets>): void => {
  it('returns tickets of boards and of the largest number of names unchanged', async () => {
    const { tickets } = await open()
    const imageNames = Array.from(
      { length: MAX_NAMES_PER_REQUEST },
      (_, index) => `${String(index).padStart(36, '0')} 🖼.png`,
    )

    await tickets.add('board', ticket('Ö.zip'))
    const ofNames = { source: { imageNames }, fileName: 'names.zip', options: {} }
    await tickets.add('names', ofNames)

    expect(await tickets.get('board')).toEqual(ticket('Ö.zip'))
    expect(await tickets.get('names')).toEqual(ofNames)
    expect(await tickets.get('unknown')).toBeNull()
  })

  it('forgets a ticket after its time', async () => {
    const { tickets, advance } = await open()
    await tickets.add('old', ticket('old.zip'))

    await advance(TICKET_MS - 60_000)
    expect(await tickets.get('old')).not.toBeNull()
    await advance(60_000)
    expect(await tickets.get('old')).toBeNull()
  })

  it('deletes the oldest of too many tickets', async () => {
    const { tickets } = await open()
    for (let index = 0; index <= MAX_TICKETS; index += 1) {
      await tickets.add(`ticket ${index}`, ticket(`${index}.zip`))
    }

    expect(await tickets.get('ticket 0')).toBeNull()
    expect(await tickets.get('ticket 1')).toEqual(ticket('1.zip'))
    expect(await tickets.get(`ticket ${MAX_TICKETS}`)).not.toBeNull()
  })
}
