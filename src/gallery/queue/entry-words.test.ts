import { afterAll, beforeAll, expect, test } from 'vitest'
import type { QueueEntry } from '#gallery/api/queue/queue-entry.ts'
import { setLocale } from '#gallery/ui/text/locale.ts'
import { detailsOf, reasonOf, titleOf } from './entry-words.ts'

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
  expect(detailsOf(entry(), 'Portraits')).toMatch(/^2 nodes · Portraits · \d+:\d\d [AP]M$/)
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
