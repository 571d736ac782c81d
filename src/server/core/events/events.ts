import type { EventData, EventName } from '#contract/events.ts'

/** What an event carries, but for the time at which it is sent. */
export type News<Name extends EventName> = Omit<EventData<Name>, 'timestamp'>

/**
 * Where core tells what happened. Sending never waits and never fails: who listens, and how fast, is no
 * concern of the one who tells.
 */
export interface EventSink {
  emit<Name extends EventName>(event: Name, news: News<Name>): void
}
