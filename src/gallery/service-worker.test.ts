import { readFileSync } from 'node:fs'
import { IDBFactory } from 'fake-indexeddb'
import { createStore, entries } from 'idb-keyval'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { ImageMediaType } from '#contract/image.ts'
import { MAX_SHARED_BYTES, MAX_SHARED_FILES } from '#contract/limits.ts'
import { SHARE_PATH } from '#contract/uploads/upload-operations.ts'
import { videoMediaTypes } from '#contract/videos/video-formats.ts'

const ORIGIN = 'https://tessera.example'

/** A variable, because the types of the worker differ from those of this file. */
const WORKER = './service-worker.ts'

interface Answer {
  status: number
  location: string | null
}

const listeners = new Map<string, (event: unknown) => void>()

// The build defines the version and the files.
beforeAll(async () => {
  vi.stubGlobal('self', {
    location: new URL(ORIGIN),
    addEventListener: (type: string, listener: (event: unknown) => void) =>
      listeners.set(type, listener),
  })
  vi.stubGlobal('VERSION', 'v1')
  vi.stubGlobal('ASSETS', [])
  await import(WORKER)
})
beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory())
})
afterAll(() => {
  vi.unstubAllGlobals()
})

/** Sends a request to the worker. Resolves with null if the worker leaves it to the server. */
async function send(
  path: string,
  body: FormData,
  request: Partial<Request> = {},
): Promise<Answer | null> {
  let answer: Promise<Response> | undefined
  const respondWith = (response: Promise<Response>) => {
    answer = response
  }
  const url = new URL(path, ORIGIN).href
  const formData = async () => body
  listeners.get('fetch')?.({
    request: { url, method: 'POST', mode: 'navigate', formData, ...request },
    respondWith,
  })
  const response = await answer
  return response ? { status: response.status, location: response.headers.get('location') } : null
}

const formOf = (...files: readonly File[]): FormData => {
  const form = new FormData()
  for (const file of files) form.append('files', file)
  return form
}

const picture = (name: string): File => new File(['bytes'], name, { type: 'image/png' })

/** Returns the names of the stored files, by share. */
async function storedNames(): Promise<string[][]> {
  const shares = await entries<string, File[]>(createStore('tessera-shared', 'shares'))
  return shares.map(([, files]) => files.map(({ name }) => name))
}

const openedWith = (outcome: string): Answer => ({
  status: 303,
  location: `${ORIGIN}/?shared=${outcome}`,
})

test('declares the formats and the share URL of the contract in the manifest', () => {
  const manifest = JSON.parse(readFileSync('public/manifest.webmanifest', 'utf8'))

  expect(manifest.share_target).toEqual({
    action: SHARE_PATH.slice(1),
    method: 'POST',
    enctype: 'multipart/form-data',
    params: { files: [{ name: 'files', accept: [...ImageMediaType.enum, ...videoMediaTypes] }] },
  })
})

test('stores the files of each share and opens the page', async () => {
  expect(await send(SHARE_PATH, formOf(picture('a.png'), picture('b.png')))).toEqual(
    openedWith('stored'),
  )
  expect(await send(SHARE_PATH, formOf(picture('c.png')))).toEqual(openedWith('stored'))

  const shares = await storedNames()
  expect(shares.sort((one, other) => other.length - one.length)).toEqual([
    ['a.png', 'b.png'],
    ['c.png'],
  ])
})

test('ignores other fields and shortens long names', async () => {
  const form = formOf(picture(`${'x'.repeat(1000)}.png`))
  form.append('title', 'hello')
  form.append('files', 'text')
  form.append('more', picture('other.png'))

  expect(await send(SHARE_PATH, form)).toEqual(openedWith('stored'))

  expect(await storedNames()).toEqual([[`${'x'.repeat(251)}.png`]])
})

test('stores nothing for a share without files', async () => {
  const form = formOf(new File([], ''))

  expect(await send(SHARE_PATH, form)).toEqual(openedWith('empty'))
  expect(await storedNames()).toEqual([])
})

test('refuses a share if more files would wait than the limit allows', async () => {
  const most = Array.from({ length: MAX_SHARED_FILES }, (_, at) => picture(`${at}.png`))
  expect(await send(SHARE_PATH, formOf(...most))).toEqual(openedWith('stored'))

  expect(await send(SHARE_PATH, formOf(picture('one more.png')))).toEqual(openedWith('too-much'))
  expect((await storedNames()).flat()).toHaveLength(MAX_SHARED_FILES)
})

test('refuses a share with too many bytes', async () => {
  const large = picture('large.png')
  Object.defineProperty(large, 'size', { value: MAX_SHARED_BYTES + 1 })

  expect(await send(SHARE_PATH, formOf(large))).toEqual(openedWith('too-much'))
  expect(await storedNames()).toEqual([])
})

test('opens the page with an error if a share cannot be read', async () => {
  const formData = () => Promise.reject(new TypeError('not a form'))

  expect(await send(SHARE_PATH, formOf(), { formData })).toEqual(openedWith('failed'))
})

test.each([
  ['another path', '/api/v1/images/upload', {}],
  ['a request of a script', SHARE_PATH, { mode: 'same-origin' }],
  ['another origin', `https://elsewhere.example${SHARE_PATH}`, {}],
] as const)('leaves %s to the server', async (_, path, request) => {
  expect(await send(path, formOf(picture('a.png')), request)).toBeNull()
  expect(await storedNames()).toEqual([])
})
