import type { ServerEvent } from '#contract/events.ts'

/**
 * Reason why a connection ended. After `replaced` the client must not reconnect by itself, or two clients of
 * one name would replace each other forever.
 */
export type ConnectionEnd = 'lost' | 'replaced'

/** Details of a lost connection. */
export interface ConnectionLoss {
  /** The error that ended the connection. */
  readonly cause?: unknown
  /** Milliseconds since the connection became silent; 0 if the end was reported. */
  readonly silentMs?: number
}

/** Callbacks of one connection. Nothing is called after `onEnd`. */
export interface ConnectionHandlers {
  /** @param probe - Sends a frame, so that a silently cut connection fails. */
  onOpen(probe?: () => void): void
  onEvent(event: ServerEvent): void
  /** @param details - Describes a lost connection. */
  onEnd(end: ConnectionEnd, details?: ConnectionLoss): void
}

/**
 * Opens one connection for events. `signal` closes it. If the promise rejects, there is no connection and no
 * callback is called afterwards.
 */
export type OpenConnection = (handlers: ConnectionHandlers, signal: AbortSignal) => Promise<void>
