import type { Clock } from '#server/core/clock.ts'
import type { Coordination } from '#server/core/coordination.ts'
import { LocalRequestLimits } from '#server/core/limits/request-limits.ts'
import { RedisBus } from './redis-bus.ts'
import { RedisConnection } from './redis-connection.ts'
import { RedisError } from './redis-error.ts'
import { countRequest, RedisLimits } from './redis-limits.ts'
import { placeScripts, RedisSockets } from './redis-sockets.ts'
import { addTicket, RedisTickets } from './redis-tickets.ts'

/** The oldest version that this is tested for. Valkey reports at least 7. */
const OLDEST_VERSION = [6, 2] as const

export interface RedisOptions {
  /** `redis://user:password@host:port/database`, or `rediss://` with TLS. */
  url: string
  /** Identifies the library. Libraries that share a Redis do not see each other. */
  library: string
  clock: Clock
  /** Called with a line for the log. */
  onWarning(line: string): void
  /** Called with errors of listeners and of work in the background. */
  onFailure(error: unknown): void
}

/**
 * Opens the state that the processes of a library share in Redis.
 *
 * @throws {RedisError} Redis cannot be reached or used. The message names the reason and a remedy.
 */
export const openRedis = async (
  options: RedisOptions,
): Promise<Coordination & { sockets: RedisSockets }> => {
  const { url, library, clock, onWarning, onFailure } = options
  const scripts = { countRequest, addTicket, ...placeScripts }
  const connection = new RedisConnection({ url, library, scripts, onFailure })
  const bus = new RedisBus(connection, onFailure)
  const sockets = new RedisSockets(connection, onFailure)
  const { host } = new URL(url)
  const limits = new RedisLimits({
    connection,
    local: new LocalRequestLimits(clock),
    onShared: (isShared, refusal) => onWarning(isShared ? returned(host) : away(host, refusal)),
  })
  const close = async () => {
    await sockets.close()
    await bus.close()
    await connection.close()
  }
  try {
    await connection.open((info) => {
      assertVersion(info, host)
      const policy = fieldOf(info, 'maxmemory_policy')
      if (policy !== null && policy !== 'noeviction') onWarning(evicting(host, policy))
    })
  } catch (error) {
    await close()
    throw error
  }
  return { bus, limits, sockets, tickets: new RedisTickets(connection), close }
}

const away = (host: string, refusal: string | null): string =>
  refusal === null
    ? `Redis at ${host} does not answer. Until it does, each process limits requests for itself, and there are no events.`
    : `Redis at ${host} refuses to count requests (${refusal}). Until it does, each process limits them for itself.`

const returned = (host: string): string =>
  `Redis at ${host} answers again. Limits and events are shared by all processes.`

const evicting = (host: string, policy: string): string =>
  `Redis at ${host} may delete keys when its memory is full (maxmemory-policy ${policy}), so that limits forget requests. Set maxmemory-policy noeviction.`

/** Returns a field of the answer of `INFO`. */
const fieldOf = (info: string | null, name: string): string | null =>
  new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info ?? '')?.[1] ?? null

/** @throws {RedisError} Redis is too old. Without an answer of `INFO`, it may be. */
const assertVersion = (info: string | null, host: string): void => {
  const version = fieldOf(info, 'redis_version')
  if (version === null) return
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [oldestMajor, oldestMinor] = OLDEST_VERSION
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return
  throw new RedisError(
    `Redis at ${host} has version ${version}. Tessera needs ${OLDEST_VERSION.join('.')} or newer, or Valkey.`,
  )
}
