import { Agent, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { S3Client } from '@aws-sdk/client-s3'
import type { FilesUrl } from './files-url.ts'
import { statusOf } from './s3-failure.ts'

const CONNECT_MS = 5_000

/** The first attempt and two repetitions, with growing pauses. */
const MAX_ATTEMPTS = 3

/** Downloads to slow clients hold a socket for long. They must not block other requests. */
const MAX_SOCKETS = 256

/** A request that sends slowly may take this long in all. */
const MAX_REQUEST_MS = 5 * 60_000

/** Numbers of requests by operation, such as `GetObject`, with retries as one. */
export interface S3Counts {
  requests: Record<string, number>
  /** Without missing objects and lost conditions, which are answers. */
  errors: Record<string, number>
}

export interface S3Clients {
  counts: S3Counts
  /** For everything but downloads. Gives up when nothing moves for `idleMs`. */
  client: S3Client
  /** Gives up when no answer begins within `idleMs`. A slow reader may then take any time. */
  downloads: S3Client
  /** Only signs links and sends nothing. */
  signer: S3Client
}

/** Creates clients with the credentials of the usual AWS chain: environment, profile, container, machine. */
export const createS3Clients = (
  { endpoint, region }: Pick<FilesUrl, 'endpoint' | 'region'>,
  idleMs: number,
): S3Clients => {
  const agent = { keepAlive: true, maxSockets: MAX_SOCKETS }
  const agents = { httpAgent: new Agent(agent), httpsAgent: new HttpsAgent(agent) }
  // Servers other than AWS rarely have regions, but a signature needs one.
  const place = region ?? (endpoint === null ? null : (process.env.AWS_REGION ?? 'us-east-1'))
  const counts: S3Counts = { requests: {}, errors: {} }
  const create = (timeouts: { requestTimeout: number; socketTimeout: number }) => {
    const client = new S3Client({
      ...(endpoint !== null && { endpoint, forcePathStyle: true }),
      ...(place !== null && { region: place }),
      maxAttempts: MAX_ATTEMPTS,
      // Uploads carry their SHA-256. Other checksums would hash everything once more.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      // It costs another round trip. Bodies are small enough to be sent again.
      expectContinueHeader: false,
      requestHandler: {
        ...agents,
        ...timeouts,
        connectionTimeout: CONNECT_MS,
        throwOnRequestTimeout: true,
      },
    })
    return client
  }
  const createCounted = (timeouts: Parameters<typeof create>[0]) => {
    const client = create(timeouts)
    countRequests(client, counts)
    return client
  }
  return {
    counts,
    client: createCounted({ requestTimeout: MAX_REQUEST_MS, socketTimeout: idleMs }),
    downloads: createCounted({ requestTimeout: idleMs, socketTimeout: 0 }),
    signer: create({ requestTimeout: idleMs, socketTimeout: idleMs }),
  }
}

const countRequests = (client: S3Client, { requests, errors }: S3Counts): void => {
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (command) => {
        const name = commandName.replace(/Command$/, '')
        requests[name] = (requests[name] ?? 0) + 1
        try {
          return await next(command)
        } catch (error) {
          if (!isAnswer(error)) errors[name] = (errors[name] ?? 0) + 1
          throw error
        }
      },
    { step: 'initialize', name: 'countRequests' },
  )
}

/** True for a missing object and for a condition that does not hold. */
const isAnswer = (error: unknown): boolean => [404, 409, 412].includes(statusOf(error) ?? 0)

/** Ends a download if the store sends nothing for a while although the reader waits for more. */
export const endIfStalled = (content: IncomingMessage, idleMs: number): void => {
  let received = -1
  const timer = setInterval(() => {
    const { bytesRead } = content.socket
    const isReaderWaiting = !content.complete && content.readableLength === 0
    if (isReaderWaiting && bytesRead === received) {
      content.destroy(new Error('The store stopped sending.'))
    }
    received = bytesRead
  }, idleMs).unref()
  content.once('close', () => clearInterval(timer))
}
