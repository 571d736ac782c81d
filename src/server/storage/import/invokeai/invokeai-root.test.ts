import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeInvokeaiRoot } from '#testing/make-invokeai-root.ts'
import { findInvokeaiRoot, looksLikeInvokeaiRoot } from './invokeai-root.ts'

test.each([
  ['', true],
  ['databases', true],
  ['outputs', true],
  ['outputs/images', true],
  ['outputs/images/thumbnails', false],
  ['..', false],
  ['nowhere', false],
])('the folder %j of a root belongs to it: %s', async (below, isOne) => {
  const root = await makeInvokeaiRoot('6.14')
  onTestFinished(() => root.remove())

  expect(await looksLikeInvokeaiRoot(join(root.folder, below))).toBe(isOne)
  if (isOne) expect((await findInvokeaiRoot(join(root.folder, below)))?.folder).toBe(root.folder)
})
