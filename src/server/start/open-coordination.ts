import type { Clock } from '#server/core/clock.ts'
import type { Coordination } from '#server/core/coordination.ts'
import { LocalBus } from '#server/core/events/event-bus.ts'
import { LocalSocketPlaces } from '#server/core/events/socket-places.ts'
import { LocalArchiveTickets } from '#server/core/exports/archive-tickets.ts'
import { LocalRequestLimits } from '#server/core/limits/request-limits.ts'

interface CoordinationOptions {
  clock: Clock
  /** Called with errors of listeners and of work in the background. */
  onFailure(error: unknown): void
}

/** Opens the state that the processes of a library share. */
export const openCoordination = async (options: CoordinationOptions): Promise<Coordination> => {
  const { clock, onFailure } = options
  const bus = new LocalBus(onFailure)
  return {
    bus,
    limits: new LocalRequestLimits(clock),
    sockets: new LocalSocketPlaces(),
    tickets: new LocalArchiveTickets(clock),
    close: () => bus.close(),
  }
}
