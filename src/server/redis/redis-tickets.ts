import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import {
  type ArchiveTicket,
  type ArchiveTickets,
  MAX_TICKETS,
  TICKET_MS,
} from '#server/core/exports/archive-tickets.ts'
import type { RedisConnection } from './redis-connection.ts'

/** Keys: the ticket, and the list of the waiting tickets. Values: the content of the ticket. */
export const addTicket = `
redis.call('SET', KEYS[1], ARGV[1], 'PX', ${TICKET_MS})
redis.call('RPUSH', KEYS[2], KEYS[1])
while redis.call('LLEN', KEYS[2]) > ${MAX_TICKETS} do redis.call('DEL', redis.call('LPOP', KEYS[2])) end
redis.call('PEXPIRE', KEYS[2], ${TICKET_MS})`

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

/** Keeps tickets of archives in Redis, compressed, because a ticket can name 50,000 images. */
export class RedisTickets implements ArchiveTickets {
  readonly #connection: RedisConnection

  constructor(connection: RedisConnection) {
    this.#connection = connection
  }

  async add(archiveId: string, ticket: ArchiveTicket): Promise<void> {
    const content = await deflate(JSON.stringify(ticket))
    const keys = [this.#keyOf(archiveId), this.#connection.key('tickets')]
    await this.#connection.ask(() => this.#connection.run('addTicket', keys, [content]))
  }

  async get(archiveId: string): Promise<ArchiveTicket | null> {
    const key = this.#keyOf(archiveId)
    const content = await this.#connection.ask((commands) => commands.getBuffer(key))
    return content === null ? null : JSON.parse((await inflate(content)).toString())
  }

  #keyOf(archiveId: string): string {
    return this.#connection.key(`ticket:${archiveId}`)
  }
}
