import { afterAll, beforeAll, expect, test } from 'vitest'
import type { QueueEntry } from '#gallery/api/queue/queue-entry.ts'
import { setLocale } from '#gallery/ui/text/locale.ts'
import { noCounts } from '#integration/queue-entries.ts'
import { detailsOf, progressOf, reasonOf, titleOf } from './entry-words.ts'

beforeAll(() => setLocale('en-US'))
afterAll(() => setLocale(undefined))

const facts = {
  priority: 0,
  boardId: 'none',
  makesImages: true,
  nodeCount: 2,
  nodeTypes: ['img_resize', 'save_image'],
  sizePx: null,
  prompt: null,
}

const entry = (change: Partial<QueueEntry> = {}): QueueEntry => ({
  itemId: 7,
  batchId: 'batch',
  status: 'pending',
  origin: null,
  destination: null,
  createdAt: Date.now(),
  startedAt: null,
  endedAt: null,
  fault: null,
  imageNames: null,
  retriedFrom: null,
  graph: facts,
  ...change,
})

test.each([
  { title: 'a castle', of: entry({ graph: { ...facts, prompt: 'a castle' } }) },
  { title: 'Resize, save image', of: entry() },
  { title: 'Copy to Castles', of: entry({ destination: 'Copy to Castles', origin: 'tessera' }) },
  { title: 'A, b, c …', of: entry({ graph: { ...facts, nodeTypes: ['a', 'b', 'c', 'd'] } }) },
  { title: 'A', of: entry({ graph: { ...facts, nodeTypes: ['a', 'a'] } }) },
  { title: 'gallery', of: entry({ graph: null, destination: 'gallery', origin: 'tests' }) },
  { title: 'Item 7', of: entry({ graph: null }) },
])('an item is called "$title"', ({ title, of }) => {
  expect(titleOf(of)).toBe(title)
})

test('shows the number of nodes and the target board', () => {
  expect(detailsOf(entry(), 'Portraits')).toMatch(/^2 nodes · \d+:\d\d [AP]M · Portraits$/)
})

test('shows no board for an item without images', () => {
  const sum = entry({ graph: { ...facts, nodeCount: 1, makesImages: false } })

  expect(detailsOf(sum, 'Assets')).toMatch(/^1 node · \d+:\d\d [AP]M$/)
})

test.each([
  { status: 'failed', fault: 'No image', isInterrupted: false, reason: 'No image' },
  { status: 'canceled', fault: null, isInterrupted: false, reason: 'Canceled' },
  { status: 'completed', fault: null, isInterrupted: false, reason: null },
  {
    status: 'canceled',
    fault: null,
    isInterrupted: true,
    reason: 'Interrupted: the server stopped',
  },
] as const)('$status says "$reason"', ({ status, fault, isInterrupted, reason }) => {
  expect(reasonOf(entry({ status, fault }), isInterrupted)).toBe(reason)
})

test.each([
  { counts: { completed: 10, total: 10 }, words: '10 of 10 done' },
  { counts: { pending: 2, total: 2 }, words: '2 waiting' },
  {
    counts: { completed: 3, failed: 1, canceled: 2, pending: 1200, in_progress: 1, total: 1207 },
    timeLeftMs: 120_000,
    words: '3 of 1,207 done · 1 failed · 2 canceled · 1,200 waiting · 2 min left',
  },
])('the progress of a batch is "$words"', ({ counts, timeLeftMs = null, words }) => {
  const text = progressOf({ ...noCounts, ...counts }, timeLeftMs)

  expect(text.replaceAll('\u00a0', ' ')).toBe(words)
})
