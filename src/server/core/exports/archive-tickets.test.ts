import { testArchiveTickets } from '#testing/ports/archive-tickets-contract.ts'
import { createSettableClock } from '#testing/settable-clock.ts'
import { LocalArchiveTickets } from './archive-tickets.ts'

testArchiveTickets(async () => {
  const clock = createSettableClock()
  return { tickets: new LocalArchiveTickets(clock), advance: clock.advance }
})
