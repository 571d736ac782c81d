import { expect, test } from 'vitest'
import type { NormalMetadata } from '#contract/metadata.ts'
import { promptStartOf, searchTextOf } from '#server/storage/sql/search/search-text-of.ts'
import { newImage } from '#testing/ports/new-image.ts'

const normal: NormalMetadata = {
  generator: 'a1111',
  prompt: 'a fox',
  negative_prompt: 'blurry',
  model: 'SDXL',
  seed: 42,
  steps: null,
  cfg_scale: null,
  sampler: 'euler',
  scheduler: null,
  loras: [{ name: 'add-detail', weight: 0.5 }],
  width: null,
  height: null,
  camera: null,
  lens: null,
  exposure: null,
  raw: { parameters: 'a fox, not to be indexed twice' },
}

test('fills each column from the normalized metadata, without its raw texts', () => {
  const image = newImage('a.png', { file_name: 'fox 狐.png', metadata: { normal } })

  expect(searchTextOf(image)).toEqual({
    prompt: 'a fox',
    negative_prompt: 'blurry',
    parameters: 'a1111 SDXL 42 euler add-detail 0.5',
    file_name: 'fox  狐 .png',
  })
})

test("falls back to InvokeAI's metadata", () => {
  const invokeai = { positive_prompt: 'a fox', negative_prompt: null, model: { name: 'flux' } }
  const image = newImage('a.png', { metadata: { invokeai: JSON.stringify(invokeai) } })

  expect(searchTextOf(image)).toMatchObject({ prompt: 'a fox', parameters: 'flux' })
})

test('returns empty columns for an image without metadata and file name', () => {
  expect(searchTextOf(newImage('a.png'))).toEqual({
    prompt: '',
    negative_prompt: '',
    parameters: '',
    file_name: '',
  })
})

test.each([
  ['a fox', 'a fox'],
  ['  a fox\n ', 'a fox'],
  ['x'.repeat(500), 'x'.repeat(120)],
  ['🦊'.repeat(500), '🦊'.repeat(120)],
  ['', null],
  [' \n', null],
])('shortens the prompt %j for lists', (prompt, start) => {
  expect(promptStartOf({ normal: { ...normal, prompt }, invokeai: null })).toBe(start)
})

test("reads the prompt start from InvokeAI's metadata, or returns null", () => {
  const invokeai = JSON.stringify({ positive_prompt: 'a castle' })

  expect(promptStartOf({ normal: null, invokeai })).toBe('a castle')
  expect(promptStartOf({ normal: null, invokeai: '{"positive_prompt":["a"]}' })).toBeNull()
  expect(promptStartOf({ normal: null, invokeai: null })).toBeNull()
})
