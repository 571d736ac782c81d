import type { ServerEvent } from '#contract/events.ts'

/** Why a line ended. After `replaced` it is not to be opened again by itself (design 4). */
export type ConnectionEnd = 'lost' | 'replaced'

/** What one connection tells. After `onEnd` comes nothing more. */
export interface ConnectionHandlers {
  /** @param probe - Sends something, so that a line whose other end is gone without a word breaks. */
  onOpen(probe?: () => void): void
  onEvent(event: ServerEvent): void
  /** @param silentMs - For how long nothing has come; 0 where the end was told. */
  onEnd(end: ConnectionEnd, silentMs?: number): void
}

/**
 * Opens one connection for events, which ends when the signal says so.
 *
 * A promise that is rejected means that there is none; after that nothing is told.
 */
export type OpenConnection = (handlers: ConnectionHandlers, signal: AbortSignal) => Promise<void>
