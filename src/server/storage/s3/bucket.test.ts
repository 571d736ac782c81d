import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { Bucket } from './bucket.ts'
import { parseFilesUrl } from './files-url.ts'

beforeEach(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'a-key')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'a-secret')
  onTestFinished(() => void vi.unstubAllEnvs())
})

/** A bucket whose server closes the first connections: without an answer, or in the middle of one. */
const openBucket = async (closings: number, { isHalf = false, idleMs = 10_000 } = {}) => {
  let requests = 0
  const server = createServer((_asked, answer) => {
    requests += 1
    if (requests > closings) return void answer.end('0123456789')
    if (!isHalf) return void answer.destroy()
    answer.writeHead(200, { 'content-length': 10 }).write('01234', () => answer.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = parseFilesUrl(`s3://images?endpoint=http://127.0.0.1:${port}`)
  const bucket = new Bucket(url, { idleMs })
  onTestFinished(() => {
    bucket.close()
    server.closeAllConnections()
    server.close()
  })
  return bucket
}

test('reads again when connections are closed more often than the S3 client repeats', async () => {
  const bucket = await openBucket(7)

  const found = await bucket.get('a.png')

  expect(String(found && (await buffer(found.content)))).toBe('0123456789')
})

test('reads a whole object again when it is cut off', async () => {
  const bucket = await openBucket(2, { isHalf: true })

  expect(String(await bucket.getWhole('a.png', buffer))).toBe('0123456789')
})

test('names the reason, and doubt only for what changes something', async () => {
  const bucket = await openBucket(Number.POSITIVE_INFINITY, { idleMs: 300 })
  const messageOf = (work: Promise<unknown>) => work.then(String, ({ message }) => message)

  expect(await messageOf(bucket.get('a.png'))).toBe(
    'The store of the images failed (ECONNRESET: it closed the connection). Try again in a moment.',
  )
  const changing = bucket.put('a.png', Buffer.from('a'), 'image/png')
  expect(await messageOf(changing)).toContain('A change may or may not have been made')
})
