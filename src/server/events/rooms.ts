import type { Socket } from 'socket.io'
import type { ServerEvent } from '#contract/events.ts'

/** What a client may ask for, and the member that names the room (wire 6). Both share their rooms. */
const subscriptions = [
  { subscribe: 'subscribe_queue', unsubscribe: 'unsubscribe_queue', member: 'queue_id' },
  {
    subscribe: 'subscribe_bulk_download',
    unsubscribe: 'unsubscribe_bulk_download',
    member: 'bulk_download_id',
  },
] as const

/** Rooms that one socket may be in. */
const MAX_ROOMS = 16

const MAX_ROOM_LENGTH = 100

/** Lets a socket join and leave. What asks in another form asks for nothing. */
export function joinableRooms(socket: Socket): void {
  for (const { subscribe, unsubscribe, member } of subscriptions) {
    socket.on(subscribe, (data: unknown) => {
      const room = roomIn(data, member)
      if (room !== null && socket.rooms.size < MAX_ROOMS) void socket.join(room)
    })
    socket.on(unsubscribe, (data: unknown) => {
      const room = roomIn(data, member)
      if (room !== null) void socket.leave(room)
    })
  }
}

/** The room that an event is for; null: everyone gets it, as a single user does in InvokeAI. */
export function roomOf({ event, data }: ServerEvent): string | null {
  switch (event) {
    case 'queue_cleared':
      return roomName(data.queue_id)
    case 'bulk_download_started':
    case 'bulk_download_complete':
    case 'bulk_download_error':
      return roomName(data.bulk_download_id)
    default:
      return null
  }
}

function roomIn(data: unknown, member: string): string | null {
  const id = (data as Record<string, unknown> | null | undefined)?.[member]
  return typeof id === 'string' && id.length <= MAX_ROOM_LENGTH ? roomName(id) : null
}

/** Every socket has a room of its id, which nobody else is to join. */
const roomName = (id: string): string => `room ${id}`
