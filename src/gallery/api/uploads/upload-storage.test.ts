import { expect, onTestFinished, test, vi } from 'vitest'
import { UploadStorage } from './upload-storage.ts'
import { NONE_EARLIER } from './upload-tally.ts'

test.each([
  ['no counts', null, NONE_EARLIER],
  ['a damaged text', '{"done":', NONE_EARLIER],
  ['counts of some kinds', '{"done":3}', { ...NONE_EARLIER, done: 3 }],
])('reads the counts of settled uploads from %s', (_, stored, expected) => {
  vi.stubGlobal('sessionStorage', { getItem: () => stored })
  onTestFinished(() => void vi.unstubAllGlobals())

  expect(new UploadStorage().readEnded()).toEqual(expected)
})

test('claims and keeps nothing where the browser forbids storage', async () => {
  const forbid = () => {
    throw new DOMException('Access is denied for this document.', 'SecurityError')
  }
  vi.stubGlobal('indexedDB', { open: forbid })
  vi.stubGlobal('sessionStorage', { getItem: forbid, setItem: forbid })
  vi.stubGlobal('navigator', { locks: { request: async () => forbid() } })
  onTestFinished(() => void vi.unstubAllGlobals())
  const storage = new UploadStorage()

  const queueId = await storage.open()

  expect(await storage.claim(queueId)).toEqual([])
  await storage.forget(['a'])
})
