import { randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { openRedis, type RedisOptions } from '#server/redis/open-redis.ts'
import { connectTo } from './redis-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of a Redis server, which tests share. */
    redisUrl: string
  }
}

/** Moves all times of a library into the past, as if they had been stored `ARGV[2]` ms earlier. */
const AGE = `
for _, key in ipairs(redis.call('KEYS', ARGV[1])) do
  local kind, ttl = redis.call('TYPE', key).ok, redis.call('PTTL', key)
  if kind == 'list' and string.find(key, ':limit:') then
    for i, time in ipairs(redis.call('LRANGE', key, 0, -1)) do
      redis.call('LSET', key, i - 1, string.format('%.0f', time - ARGV[2]))
    end
  elseif kind == 'zset' then
    for _, member in ipairs(redis.call('ZRANGE', key, 0, -1)) do
      redis.call('ZINCRBY', key, -ARGV[2], member)
    end
  end
  redis.call('PEXPIRE', key, math.max(0, ttl - ARGV[2]))
end`

export type TestProcess = Awaited<ReturnType<typeof openProcess>>

/** Opens the shared state of a process for one test. Without a library, it gets an empty one. */
export const openProcess = async (url: string, options: Partial<RedisOptions> = {}) => {
  const library = options.library ?? randomUUID()
  const warnings: string[] = []
  const failures: unknown[] = []
  const coordination = await openRedis({
    clock: Date.now,
    onWarning: (line) => warnings.push(line),
    onFailure: (error) => failures.push(error),
    ...options,
    url,
    library,
  })
  const client = await connectTo(url)
  onTestFinished(async () => {
    await coordination.close()
    client.disconnect()
  })
  return {
    ...coordination,
    library,
    warnings,
    failures,
    /** Lets time pass in Redis for this library. Its real clock cannot be set. */
    advance: async (ms: number) => {
      await client.eval(AGE, 0, `tessera:{${library}}:*`, ms)
    },
    keys: () => client.keys(`tessera:{${library}}:*`),
  }
}
