import { randomUUID } from 'node:crypto'
import { MAX_SOCKETS_PER_ADDRESS } from '#contract/events.ts'
import type { EventClient } from '#server/core/events/event-hub.ts'
import { placeName, type SocketKind, type SocketPlaces } from '#server/core/events/socket-places.ts'
import type { RedisConnection } from './redis-connection.ts'

/** Interval in which a process renews its lease. Other processes free the places of a process without a lease. */
const RENEW_MS = 5_000
const LEASE_MS = 15_000

/** Expiry of all keys if no process renews a lease. */
const FORGET_MS = 60_000

/**
 * All scripts have three keys: the leases of processes, the holders of places, and the number of places by address. A
 * holder is `process/number address`.
 */
const common = `
local leases, holders, counts = unpack(KEYS)
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function add(address, n)
  if redis.call('HINCRBY', counts, address, n) <= 0 then redis.call('HDEL', counts, address) end
end
local function addressOf(holder) return string.match(holder, ' (.*)$') end
local function stay()
  for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, ${FORGET_MS}) end
end`

/**
 * Returns 0 without a change if the lease has expired, or that of another process, or if keys were evicted. Then the
 * process synchronizes.
 */
const renewLease = `${common}
local process, held = ARGV[1], tonumber(ARGV[2])
local expired = redis.call('ZRANGEBYSCORE', leases, '-inf', now, 'LIMIT', 0, 1)
if redis.call('HLEN', holders) < held then return 0 end
if redis.call('EXISTS', holders) ~= redis.call('EXISTS', counts) then return 0 end
if #expired > 0 or not redis.call('ZSCORE', leases, process) then return 0 end
redis.call('ZADD', leases, now + ${LEASE_MS}, process)
stay()
return 1`

/**
 * Frees the places of processes without a lease, and replaces those of this process by the given ones. Returns the
 * sockets whose places were taken by others meanwhile.
 */
const syncPlaces = `${common}
local process = ARGV[1]
redis.call('ZREMRANGEBYSCORE', leases, '-inf', now)
redis.call('ZADD', leases, now + ARGV[2], process)
redis.call('DEL', counts)
local all, taken = redis.call('HGETALL', holders), {}
for i = 1, #all, 2 do
  local owner = string.match(all[i + 1], '^(.-)/')
  if owner ~= process and redis.call('ZSCORE', leases, owner) then
    taken[all[i]] = true
    add(addressOf(all[i + 1]), 1)
  else
    redis.call('HDEL', holders, all[i])
  end
end
local lost = {}
for i = 3, #ARGV, 2 do
  local name, holder = ARGV[i], ARGV[i + 1]
  if taken[name] then
    table.insert(lost, holder)
  else
    taken[name] = true
    redis.call('HSET', holders, name, holder)
    add(addressOf(holder), 1)
  end
end
stay()
return lost`

/** Returns 0 if the address has no free place. Notifies the process whose socket is replaced. */
const takePlace = `${common}
local name, holder, max, channel = unpack(ARGV)
local address = addressOf(holder)
local older = redis.call('HGET', holders, name)
local olderAddress = older and addressOf(older)
local others = tonumber(redis.call('HGET', counts, address) or 0)
if olderAddress == address then others = others - 1 end
if others >= tonumber(max) then return 0 end
redis.call('HSET', holders, name, holder)
if olderAddress ~= address then
  add(address, 1)
  if older then add(olderAddress, -1) end
end
if older and older ~= holder then redis.call('PUBLISH', channel, older) end
stay()
return 1`

const leavePlace = `${common}
local name, holder = unpack(ARGV)
if redis.call('HGET', holders, name) ~= holder then return 0 end
redis.call('HDEL', holders, name)
add(addressOf(holder), -1)
return 1`

export const placeScripts = { renewLease, syncPlaces, takePlace, leavePlace }

interface HeldPlace {
  name: string
  replace: () => void
}

/** Keeps the places of the sockets of all processes in Redis. */
export class RedisSockets implements SocketPlaces {
  readonly #connection: RedisConnection
  readonly #onFailure: (error: unknown) => void
  readonly #process = randomUUID()
  readonly #keys: readonly string[]
  readonly #channel: string
  /** Places of this process by holder. */
  readonly #held = new Map<string, HeldPlace>()
  readonly #renewing: NodeJS.Timeout
  #taken = 0

  constructor(connection: RedisConnection, onFailure: (error: unknown) => void) {
    this.#connection = connection
    this.#onFailure = onFailure
    this.#keys = ['leases', 'holders', 'counts'].map((name) => connection.key(`sockets:${name}`))
    this.#channel = connection.key('replaced')
    connection.receive(this.#channel, (holder) => this.#replace(holder))
    connection.prepare(() => this.#sync())
    this.#renewing = setInterval(() => void this.renew(), RENEW_MS).unref()
  }

  async hasRoom(kind: SocketKind, client: EventClient): Promise<boolean> {
    const [, holders = '', counts = ''] = this.#keys
    const [holder, count] = await this.#connection.ask((commands) =>
      Promise.all([
        commands.hget(holders, placeName(kind, client)),
        commands.hget(counts, client.address),
      ]),
    )
    const isReplaced = holder?.endsWith(` ${client.address}`) === true
    return Number(count ?? 0) - (isReplaced ? 1 : 0) < MAX_SOCKETS_PER_ADDRESS
  }

  async take(kind: SocketKind, client: EventClient, replace: () => void) {
    const name = placeName(kind, client)
    const holder = `${this.#process}/${++this.#taken} ${client.address}`
    // Held before the script runs, because a concurrent synchronization would otherwise free the place.
    this.#held.set(holder, { name, replace })
    const leave = () => {
      this.#held.delete(holder)
      // If Redis is away, the next synchronization frees the place.
      this.#run('leavePlace', name, holder).catch(() => {})
    }
    try {
      const isTaken = await this.#connection.ask(() =>
        this.#run('takePlace', name, holder, MAX_SOCKETS_PER_ADDRESS, this.#channel),
      )
      if (isTaken === 1) return leave
      leave()
      return null
    } catch (error) {
      leave()
      throw error
    }
  }

  /** Renews the lease of this process. After it has expired, asks which of its sockets were replaced. */
  async renew(): Promise<void> {
    if (!this.#connection.isConnected) return
    try {
      const isRenewed = await this.#run('renewLease', this.#process, this.#held.size)
      if (isRenewed === 0) await this.#sync()
    } catch (error) {
      if (this.#connection.isConnected) this.#onFailure(error)
    }
  }

  /** Frees all places of this process. Does not close the connection, which is shared. */
  async close(): Promise<void> {
    clearInterval(this.#renewing)
    await this.#run('syncPlaces', this.#process, 0).catch(() => {})
  }

  async #sync(): Promise<void> {
    const places = [...this.#held].flatMap(([holder, { name }]) => [name, holder])
    const lost = await this.#run('syncPlaces', this.#process, LEASE_MS, ...places)
    for (const holder of lost as string[]) this.#replace(holder)
  }

  #replace(holder: string): void {
    this.#held.get(holder)?.replace()
  }

  #run(script: keyof typeof placeScripts, ...values: (string | number)[]): Promise<unknown> {
    return this.#connection.run(script, this.#keys, values)
  }
}
