import type { EventBus } from './events/event-bus.ts'
import type { SocketPlaces } from './events/socket-places.ts'
import type { ArchiveTickets } from './exports/archive-tickets.ts'
import type { RequestLimits } from './limits/request-limits.ts'

/** State that all processes of a library share. A single process keeps it in its memory, several in Redis. */
export interface Coordination {
  /** Connected while Redis answers. */
  bus: EventBus
  limits: RequestLimits
  sockets: SocketPlaces
  tickets: ArchiveTickets
  /** Call it after all sockets are closed. */
  close(): Promise<void>
}
