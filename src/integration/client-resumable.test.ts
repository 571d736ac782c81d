import { Upload } from 'tus-js-client'
import { beforeAll, expect, test } from 'vitest'
import { connect, discardResumable, uploadResumable } from '#client/index.ts'
import type { ImageRecord } from '#contract/image.ts'
import { paddedClip } from '#testing/library/padded-clip.ts'
import { reuseServer } from '#testing/server/reuse-server.ts'
import { sha256 } from './library-consistency.ts'

const SIZE = 3_000_000

const getServer = reuseServer()

let clip: Buffer<ArrayBuffer>
beforeAll(async () => {
  clip = await paddedClip(SIZE)
})

/** Decides about the bytes of a request. `lose`: the server gets the request, and the answer is lost. */
type Line = (sent: { bytes: number; number: number }) => 'pass' | 'refuse' | 'break' | 'lose'

/** Connects over a line with faults. */
const open = async (line: Line = () => 'pass') => {
  const { url, dataFolder } = await getServer()
  const sizes: number[] = []
  const fetchOverLine = async (to: string, init: RequestInit): Promise<Response> => {
    if (init.method !== 'PATCH') return fetch(to, init)
    const { size: bytes } = init.body as Blob
    const fault = line({ bytes, number: sizes.length + 1 })
    if (fault === 'refuse') return new Response('<h1>413</h1>', { status: 413 })
    if (fault === 'break') throw new TypeError('The connection broke')
    sizes.push(bytes)
    const answer = await fetch(to, init)
    if (fault === 'lose') throw new TypeError('The answer was lost')
    return answer
  }
  const client = connect({ baseUrl: url, fetch: fetchOverLine })
  const file = (uploadId: string, more = {}) => ({
    ...{ bytes: new Blob([clip]), fileName: 'Élan.mp4', uploadId },
    ...more,
  })
  return { client, url, dataFolder, sizes, file }
}

test('sends a file to its board', async () => {
  const { client, sizes, file } = await open()
  const { boardId } = await client.boards.createBoard('Clips')

  const image = await uploadResumable(
    client.uploads,
    file('to-its-board', { takenAt: '2020-02-03 04:05:06.000' }),
    { boardId, imageCategory: 'general' },
  )

  expect(image).toMatchObject({
    board_id: boardId,
    file_name: 'Élan.mp4',
    image_category: 'general',
    content_hash: sha256(clip),
  })
  expect(sizes).toEqual([SIZE])
})

test('sends smaller pieces if a proxy refuses large ones, and goes on after a break', async () => {
  let isBroken = true
  const { client, sizes, file } = await open(({ bytes, number }) => {
    if (bytes > 1_000_000) return 'refuse'
    return isBroken && number > 2 ? 'break' : 'pass'
  })
  const upload = file('smaller-pieces')
  const found: number[] = []
  const onFound = (bytes: number) => found.push(bytes)

  await expect(uploadResumable(client.uploads, upload, { onFound })).rejects.toThrow('No answer')
  expect(sizes).toEqual([750_000, 750_000])
  isBroken = false
  const image = await uploadResumable(client.uploads, upload, { onFound })

  expect(found).toEqual([0, 1_500_000])
  expect(sizes.reduce((sum, size) => sum + size)).toBe(SIZE)
  expect(image.content_hash).toBe(sha256(clip))
})

test('gives up on a proxy that refuses even small pieces', async () => {
  const { client, sizes, file } = await open(() => 'refuse')
  await expect(uploadResumable(client.uploads, file('even-small'))).rejects.toMatchObject({
    code: 'proxy_too_large',
  })
  expect(sizes).toEqual([])
})

test('a lost answer costs nothing', async () => {
  const { client, sizes, file } = await open(({ number }) => (number === 1 ? 'lose' : 'pass'))
  await expect(uploadResumable(client.uploads, file('lost-answer'))).rejects.toThrow('No answer')

  const image = await uploadResumable(client.uploads, file('lost-answer'))

  expect(sizes).toEqual([SIZE])
  expect(image.content_hash).toBe(sha256(clip))
  expect(await client.images.count({ kind: 'all' })).toBe(1)
})

test('tells which item has the same bytes, and keeps both without sending them again', async () => {
  const { client, sizes, file } = await open()
  const first = await uploadResumable(client.uploads, file('the-first'))

  const refused = uploadResumable(client.uploads, file('the-second', { knownBytes: 'refuse' }))
  await expect(refused).rejects.toMatchObject({
    code: 'already_here',
    sameImage: { image_name: first.image_name },
  })
  const second = await uploadResumable(client.uploads, file('the-second', { knownBytes: 'keep' }))

  expect(second.image_name).not.toBe(first.image_name)
  expect(sizes).toEqual([SIZE, SIZE, 0])
})

test('discards an upload', async () => {
  const { client, file } = await open(() => 'break')
  await expect(uploadResumable(client.uploads, file('discarded'))).rejects.toThrow()
  expect(await discardResumable(client.uploads, 'discarded')).toBe(true)
  expect(await discardResumable(client.uploads, 'discarded')).toBe(false)
})

test('the client library of tus sends a file in pieces, and goes on from its URL', async () => {
  const { url, client } = await open()
  const asked: string[] = []
  const send = (uploadUrl: string | null, isLast: boolean) => {
    const { promise, resolve, reject } = Promise.withResolvers<[string, ImageRecord | null]>()
    const upload = new Upload(clip, {
      ...{ endpoint: `${url}/api/v1/uploads`, uploadUrl, chunkSize: 1_000_000, retryDelays: null },
      metadata: { filename: 'tus.mp4', filetype: 'video/mp4' },
      onBeforeRequest: (request) => void asked.push(request.getMethod()),
      onChunkComplete: (_, sent) => {
        if (isLast || sent < 2_000_000) return
        void upload.abort().then(() => resolve([upload.url ?? '', null]))
      },
      onSuccess: ({ lastResponse }) =>
        resolve([upload.url ?? '', JSON.parse(lastResponse.getBody())]),
      onError: reject,
    })
    upload.start()
    return promise
  }

  const [uploadUrl] = await send(null, false)
  expect(uploadUrl).toContain(`${url}/api/v1/uploads/`)
  const [, image] = await send(uploadUrl, true)

  expect(asked).toEqual(['POST', 'PATCH', 'PATCH', 'HEAD', 'PATCH'])
  expect(image?.content_hash).toBe(sha256(clip))
  expect(await client.images.count({ kind: 'all' })).toBe(1)
})

test('asks for the offset again if a request arrives twice', async () => {
  const { url } = await open()
  let isRepeated = false
  const fetchTwice = async (to: string, init: RequestInit): Promise<Response> => {
    if (init.method !== 'PATCH' || isRepeated) return fetch(to, init)
    isRepeated = true
    const part = (init.body as Blob).slice(0, 1_000_000)
    expect((await fetch(to, { ...init, body: part })).status).toBe(204)
    return fetch(to, init)
  }
  const client = connect({ baseUrl: url, fetch: fetchTwice })
  const bytes = new Blob([clip])

  const image = await uploadResumable(client.uploads, { bytes, uploadId: 'arrives-twice' })

  expect(image.content_hash).toBe(sha256(clip))
})
