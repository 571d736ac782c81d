import { access } from 'node:fs/promises'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { Refusal } from '#server/core/refusal.ts'
import { openLibrary } from '#testing/library/open-library.ts'
import { commitFiles } from './commit-files.ts'

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

const commitThatFails = async (error: Error) => {
  const library = await openLibrary()
  const incoming = await library.files.receive(once('bytes'), { maxBytes: 100 })
  const imageName = `${v7()}.png`
  const named = [{ imageName, incoming, writeThumbnail: async () => {} }]
  await expect(commitFiles(library, named, () => Promise.reject(error))).rejects.toBe(error)
  return access(library.pathOf(imageName)).then(
    () => true,
    () => false,
  )
}

test('removes a file whose row was refused', async () => {
  expect(await commitThatFails(new Refusal('busy'))).toBe(false)
})

test('keeps a file after a disk error, because its row may be in the log', async () => {
  expect(await commitThatFails(new Refusal('disk_error'))).toBe(true)
})
