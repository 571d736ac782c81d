import { expect, test } from 'vitest'
import type { Generation } from '#gallery/api/queue/generations-of.ts'
import { captionOf, nameOf, ordinal } from './generation-words.ts'

const running: Generation = {
  itemId: 1,
  batchId: 'batch',
  status: 'in_progress',
  ahead: null,
  boardId: 'none',
  sizePx: null,
  step: 'Blur',
  fraction: 0.4,
  preview: null,
  sessionId: null,
  imageNames: [],
  fault: null,
  since: 0,
}
const waiting: Generation = { ...running, status: 'pending', step: null, fraction: null }
const failed: Generation = { ...running, status: 'failed', fault: 'Out of memory' }

test.each([
  [1, '1st'],
  [2, '2nd'],
  [3, '3rd'],
  [4, '4th'],
  [11, '11th'],
  [22, '22nd'],
  [113, '113th'],
])('%i is the %s', (number, word) => {
  expect(ordinal(number)).toBe(word)
})

test.each([
  ['what runs, its step', running, 'Blur'],
  ['what runs and says nothing, that', { ...running, step: null }, 'Running'],
  ['what waits, its place', { ...waiting, ahead: 2 }, '3rd in line'],
  ['what is next, that', { ...waiting, ahead: 0 }, 'Next in line'],
  ['what failed, why', failed, 'Out of memory'],
])('says of %s', (_, generation, caption) => {
  expect(captionOf(generation)).toBe(caption)
})

test.each([
  ['a share that is known', running, 'Generation, 40 percent, Blur'],
  ['no share', { ...running, fraction: null }, 'Generation, Blur'],
  ['a failure', failed, 'Generation, failed, Out of memory, Retry'],
])('is called by %s', (_, generation, name) => {
  expect(nameOf(generation)).toBe(name)
})
