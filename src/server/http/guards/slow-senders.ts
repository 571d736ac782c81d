import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** How slowly a request body may arrive. */
export interface SenderRules {
  /** Bytes that must arrive in each window. */
  minBytes: number
  windowMs: number
  /** Time for a whole JSON body. */
  jsonMs: number
  /** Interval between two checks. */
  everyMs: number
}

/** A kilobyte a second: the slowest mobile network is faster, and a slow sender is gone within 25 s. */
const usualRules: SenderRules = {
  minBytes: 20_000,
  windowMs: 20_000,
  jsonMs: 120_000,
  everyMs: 5_000,
}

interface Sender {
  startedAt: number
  windowStart: number
  /** Of its connection, at the start of the window. */
  bytesRead: number
  isJson: boolean
}

/**
 * Disconnects clients that send a request body too slowly. Each of them would otherwise hold a connection
 * and a temporary file for as long as it likes. A body that this server does not read fast enough is no fault
 * of its sender.
 */
export function registerSlowSenders(app: FastifyInstance, rules = usualRules): void {
  const senders = new Map<IncomingMessage, Sender>()

  app.addHook('onRequest', async ({ raw }) => {
    const { headers } = raw
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined)
      return
    const now = performance.now()
    const isJson = headers['content-type']?.startsWith('multipart/') !== true
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
