import { randomUUID } from 'node:crypto'
import {
  type BusListener,
  type BusMessage,
  type EventBus,
  LocalBus,
} from '#server/core/events/event-bus.ts'
import type { RedisConnection } from './redis-connection.ts'

/** The process that sent a message, the number of the message, and the message; null: only the number. */
type Envelope = [sender: string, number: number, message: BusMessage | null]

/**
 * Sends messages through a channel of Redis. A process delivers its own messages only when they come back, so that all
 * processes see one order.
 *
 * Each process numbers its messages. A missing number means that a message was lost, and the bus reports this as a
 * short loss of its connection.
 */
export class RedisBus implements EventBus {
  readonly #connection: RedisConnection
  readonly #channel: string
  readonly #local: LocalBus
  readonly #sender = randomUUID()
  readonly #lastNumbers = new Map<string, number>()
  readonly #listeners = new Set<(isConnected: boolean) => void>()
  readonly #onFailure: (error: unknown) => void
  #sent = 0

  /** @param onFailure - Called with errors of listeners. */
  constructor(connection: RedisConnection, onFailure: (error: unknown) => void) {
    this.#connection = connection
    this.#onFailure = onFailure
    this.#local = new LocalBus(onFailure)
    this.#channel = connection.key('events')
    connection.receive(this.#channel, (text) => this.#deliver(JSON.parse(text) as Envelope))
    connection.onConnection((isConnected) => this.#report(isConnected))
    // Other processes may have stayed connected while this one lost messages. They notice it by the number.
    connection.prepare(async () => {
      this.#lastNumbers.clear()
      await this.#send(null)
    })
  }

  get isConnected(): boolean {
    return this.#connection.isConnected
  }

  publish(message: BusMessage): void {
    this.#sent++
    if (!this.isConnected) return
    // Lost with its connection, which is reported, or refused by Redis.
    this.#send(message).catch(() => {})
  }

  listen(listener: BusListener): () => void {
    return this.#local.listen(listener)
  }

  onConnection(listener: (isConnected: boolean) => void): () => void {
    const own = (isConnected: boolean) => listener(isConnected)
    this.#listeners.add(own)
    return () => void this.#listeners.delete(own)
  }

  /** Does not close the connection, which is shared. */
  async close(): Promise<void> {
    this.#listeners.clear()
  }

  #send(message: BusMessage | null): Promise<void> {
    const envelope: Envelope = [this.#sender, this.#sent, message]
    return this.#connection.publish(this.#channel, JSON.stringify(envelope))
  }

  #deliver([sender, number, message]: Envelope): void {
    const last = this.#lastNumbers.get(sender)
    this.#lastNumbers.set(sender, number)
    const isGap = last !== undefined && number > last + (message === null ? 0 : 1)
    if (isGap && this.isConnected) {
      this.#report(false)
      this.#report(true)
    }
    if (message !== null) this.#local.publish(message)
  }

  #report(isConnected: boolean): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(isConnected)
      } catch (error) {
        this.#onFailure(error)
      }
    }
  }
}
