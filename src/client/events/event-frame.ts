import { eventSchemas, type ServerEvent } from '#contract/events.ts'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns an event, or null if the name is unknown or the data is not an object. */
export const asEvent = (event: unknown, data: unknown): ServerEvent | null =>
  typeof event === 'string' && Object.hasOwn(eventSchemas, event) && isObject(data)
    ? ({ event, data } as unknown as ServerEvent)
    : null

/** Parses a WebSocket frame. Returns null if it is malformed or the event is unknown. */
export const readFrame = (frame: unknown): ServerEvent | null => {
  if (typeof frame !== 'string') return null
  try {
    const value: unknown = JSON.parse(frame)
    return isObject(value) ? asEvent(value.event, value.data) : null
  } catch {
    return null
  }
}
