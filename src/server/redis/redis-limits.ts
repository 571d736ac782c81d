import { LIMIT_WINDOW_MS, MAX_PAGE_CLIENTS } from '#contract/limits.ts'
import {
  type LimitedRequest,
  type LimitResult,
  type LocalRequestLimits,
  pageClient,
  type RequestLimits,
} from '#server/core/limits/request-limits.ts'
import type { RedisConnection } from './redis-connection.ts'

/**
 * Keys: the pages of the address, then for each policy the times of the page and those of the client. Values: window,
 * page or `''`, number of pages, then for each policy its maximum and whether it counts. Uses the time of Redis,
 * because the clocks of the processes differ.
 */
export const countRequest = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local window, page = tonumber(ARGV[1]), ARGV[2]
local column = 1
if page ~= '' then
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window)
  -- A future time is from before the clock was set back.
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '(' .. now, '+inf')
  if redis.call('ZSCORE', KEYS[1], page) or redis.call('ZCARD', KEYS[1]) < tonumber(ARGV[3]) then
    column = 0
    redis.call('ZADD', KEYS[1], now, page)
    redis.call('PEXPIRE', KEYS[1], window)
  end
end
local function timeAt(key, index)
  return tonumber(redis.call('LINDEX', key, index) or nil)
end
local policies, isAllowed = {}, true
for i = 1, (#ARGV - 3) / 2 do
  local key, counts = KEYS[2 * i + column], ARGV[2 * i + 3] == '1'
  while (timeAt(key, 0) or now) <= now - window do redis.call('LPOP', key) end
  while (timeAt(key, -1) or 0) > now do redis.call('RPOP', key) end
  local used = redis.call('LLEN', key)
  policies[i] = { key, counts, used }
  if counts and used >= tonumber(ARGV[2 * i + 2]) then isAllowed = false end
end
local result = { isAllowed and 1 or 0 }
for i, policy in ipairs(policies) do
  local key, counts, used = unpack(policy)
  if counts and isAllowed then
    used = redis.call('RPUSH', key, now)
    redis.call('PEXPIRE', key, window)
  end
  local oldest = timeAt(key, 0)
  result[2 * i] = used
  result[2 * i + 1] = oldest and oldest + window - now or 0
end
return result`

interface LimitsParts {
  connection: RedisConnection
  /** Counts while Redis is away. */
  local: LocalRequestLimits
  /** Called when the process begins or ends to count for itself. `refusal` is the reason if Redis answers. */
  onShared(isShared: boolean, refusal: string | null): void
}

/** Counts requests in Redis for all processes. While Redis is away, this process counts for itself. */
export class RedisLimits implements RequestLimits {
  readonly #parts: LimitsParts
  #isShared = true

  constructor(parts: LimitsParts) {
    this.#parts = parts
    parts.connection.onConnection((isConnected) => this.#setShared(isConnected))
  }

  get isShared(): boolean {
    return this.#isShared
  }

  async count(request: LimitedRequest): Promise<LimitResult> {
    try {
      const result = await this.#countInRedis(request)
      this.#setShared(this.#parts.connection.isConnected)
      return result
    } catch (error) {
      const isAnswer = error instanceof Error && error.name === 'ReplyError'
      this.#setShared(false, isAnswer ? error.message : null)
      return this.#parts.local.count(request)
    }
  }

  async #countInRedis({ client, page, policies }: LimitedRequest): Promise<LimitResult> {
    const { connection } = this.#parts
    const keyOf = (policy: string, name: string) => connection.key(`limit:${policy}:${name}`)
    const asPage = page === null ? client : pageClient(page)
    const keys = policies.flatMap(({ name }) => [keyOf(name, asPage), keyOf(name, client)])
    const values = policies.flatMap(({ max, counts }) => [max, counts ? 1 : 0])
    const [isAllowed, ...figures] = (await connection.run(
      'countRequest',
      [connection.key(`pages:${page?.address ?? ''}`), ...keys],
      [LIMIT_WINDOW_MS, page?.id ?? '', MAX_PAGE_CLIENTS, ...values],
    )) as number[]
    const quotas = policies.map((_, index) => ({
      used: figures[2 * index] ?? 0,
      resetMs: figures[2 * index + 1] ?? 0,
    }))
    return { isAllowed: isAllowed === 1, quotas }
  }

  #setShared(isShared: boolean, refusal: string | null = null): void {
    if (this.#isShared === isShared) return
    this.#isShared = isShared
    this.#parts.onShared(isShared, refusal)
  }
}
