import type { EventHub } from '#server/core/event-hub.ts'
import { RawSockets } from './raw-sockets.ts'
import { SocketIo } from './socket-io.ts'
import { SocketPlaces } from './socket-places.ts'

/** Both ways on which events leave. */
export interface EventSockets {
  readonly raw: RawSockets
  readonly socketIo: SocketIo
  /** Closes every connection. */
  close(): Promise<void>
}

/** Opens what carries events to clients: `/ws` and `/ws/socket.io` (design 5). */
export function openEventSockets(hub: EventHub): EventSockets {
  const places = new SocketPlaces()
  const raw = new RawSockets(places)
  const socketIo = new SocketIo(places)
  const stops = [raw, socketIo].map((sockets) => hub.listen((event) => sockets.send(event)))
  return {
    raw,
    socketIo,
    close: async () => {
      for (const stop of stops) stop()
      await Promise.all([raw.close(), socketIo.close()])
    },
  }
}
