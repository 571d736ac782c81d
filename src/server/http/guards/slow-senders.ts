import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { TUS_BYTES } from '#contract/uploads/resumable-upload-operations.ts'

/** One kilobyte per second: the slowest mobile network is faster. A slow sender is disconnected within 25 s. */
const defaultRules = {
  /** Bytes that must arrive in each window. */
  minBytes: 20_000,
  windowMs: 20_000,
  /** Time limit for a complete JSON body. */
  jsonMs: 120_000,
  /** Interval between two checks. */
  everyMs: 5_000,
}

interface Sender {
  startedAt: number
  windowStart: number
  /** `socket.bytesRead` at the start of the window. */
  bytesRead: number
  isJson: boolean
}

/**
 * Disconnects clients that send a request body too slowly. Each of them would otherwise occupy a connection and a
 * temporary file indefinitely. Unread data in the buffer means that this server is slow, not the client.
 */
export function registerSlowSenders(app: FastifyInstance, rules = defaultRules): void {
  const senders = new Map<IncomingMessage, Sender>()

  app.addHook('onRequest', async ({ raw }) => {
    const { headers } = raw
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined)
      return
    const now = performance.now()
    const type = headers['content-type']
    const isJson = type !== TUS_BYTES && type?.startsWith('multipart/') !== true
    const { bytesRead } = raw.socket
    senders.set(raw, { startedAt: now, windowStart: now, bytesRead, isJson })
    raw.once('close', () => senders.delete(raw))
  })

  const isTooSlow = (raw: IncomingMessage, sender: Sender): boolean => {
    const now = performance.now()
    if (sender.isJson && now - sender.startedAt > rules.jsonMs) return true
    if (now - sender.windowStart < rules.windowMs && raw.readableLength === 0) return false
    const received = raw.socket.bytesRead - sender.bytesRead
    const isSlow = received < rules.minBytes && raw.readableLength === 0
    sender.windowStart = now
    sender.bytesRead = raw.socket.bytesRead
    return isSlow
  }

  const checking = setInterval(() => {
    for (const [raw, sender] of senders) {
      if (raw.complete) senders.delete(raw)
      else if (isTooSlow(raw, sender)) raw.socket.destroy()
    }
  }, rules.everyMs).unref()
  app.addHook('onClose', async () => clearInterval(checking))
}
