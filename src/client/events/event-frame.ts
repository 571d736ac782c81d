import { eventSchemas, type ServerEvent } from '#contract/events.ts'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What came in as an event; null where its name is unknown or it carries nothing. */
export const asEvent = (event: unknown, data: unknown): ServerEvent | null =>
  typeof event === 'string' && Object.hasOwn(eventSchemas, event) && isObject(data)
    ? ({ event, data } as unknown as ServerEvent)
    : null

/** A raw frame (spec 6); null where it is broken, or says what this library does not know. */
export const readFrame = (frame: unknown): ServerEvent | null => {
  if (typeof frame !== 'string') return null
  try {
    const value: unknown = JSON.parse(frame)
    return isObject(value) ? asEvent(value.event, value.data) : null
  } catch {
    return null
  }
}
