import type { Clock } from '#server/core/clock.ts'
import type { Coordination } from '#server/core/coordination.ts'
import { LocalBus } from '#server/core/events/event-bus.ts'
import { LocalSocketPlaces } from '#server/core/events/socket-places.ts'
import { LocalArchiveTickets } from '#server/core/exports/archive-tickets.ts'
import { LocalRequestLimits } from '#server/core/limits/request-limits.ts'
import { RedisError } from '#server/redis/redis-error.ts'
import { StartError } from './start-error.ts'

interface CoordinationOptions {
  /** `redis://…`; null: this is the only process. */
  redisUrl: string | null
  /** Identifies the library in Redis. */
  library(): Promise<string>
  clock: Clock
  /** Called with a line for the log. */
  onWarning(line: string): void
  /** Called with errors of listeners and of work in the background. */
  onFailure(error: unknown): void
}

/**
 * Opens the state that the processes of a library share. Loads the Redis client only if Redis is used.
 *
 * @throws {StartError} Redis cannot be used.
 */
export const openCoordination = async (options: CoordinationOptions): Promise<Coordination> => {
  const { redisUrl, library, clock, onFailure } = options
  if (redisUrl !== null) {
    const { openRedis } = await import('#server/redis/open-redis.ts')
    return openRedis({ ...options, url: redisUrl, library: await library() }).catch(
      (error: unknown) => {
        throw error instanceof RedisError
          ? new StartError(error.message, 1, { cause: error })
          : error
      },
    )
  }
  const bus = new LocalBus(onFailure)
  return {
    bus,
    limits: new LocalRequestLimits(clock),
    sockets: new LocalSocketPlaces(),
    tickets: new LocalArchiveTickets(clock),
    close: () => bus.close(),
  }
}
