import { expect, test } from 'vitest'
import { graphFacts, noCounts, queueEntry } from '#integration/queue-entries.ts'
import type { GenerationState, Progress } from './generation-progress.ts'
import { FAILURE_SHOWN_MS, generationsOf, INTERRUPTED } from './generations-of.ts'
import type { QueueEntry } from './queue-entry.ts'
import { snapshotOf } from './queue-snapshot.ts'

const NOW = 1_000_000_000

const facts = { ...graphFacts, boardId: 'portraits' }

const entry = (itemId: number, change: Partial<QueueEntry> = {}): QueueEntry =>
  queueEntry(itemId, { createdAt: NOW, graph: facts, ...change })

const progress = (change: Partial<Progress>): Progress => ({
  boardId: null,
  sizePx: null,
  step: null,
  fraction: null,
  preview: null,
  sessionId: null,
  imageNames: [],
  uninserted: [],
  ...change,
})

const shown = (entries: QueueEntry[], state: Partial<GenerationState> = {}) =>
  generationsOf(
    snapshotOf(noCounts, false, entries),
    { progress: new Map(), dismissed: new Set(), interrupted: new Set(), ...state },
    NOW,
  )

test('counts the items before a waiting one', () => {
  const all = shown([entry(1, { status: 'in_progress' }), entry(2), entry(3)])

  expect(all.map(({ itemId, status, ahead }) => [itemId, status, ahead])).toEqual([
    [1, 'in_progress', null],
    [2, 'pending', 1],
    [3, 'pending', 2],
  ])
})

test('reads progress and board from events before the graph is known', () => {
  const known = progress({ boardId: 'castles', step: 'Saving image', fraction: 0.5 })

  const [one] = shown([entry(1, { status: 'in_progress', graph: null })], {
    progress: new Map([[1, known]]),
  })

  expect(one).toMatchObject({ boardId: 'castles', step: 'Saving image', fraction: 0.5 })
})

test('omits items that create no images', () => {
  expect(shown([entry(1, { graph: { ...facts, makesImages: false } })])).toEqual([])
})

test('keeps a completed item until its images are in the views', () => {
  const done = entry(1, { status: 'completed' })
  const inserting = progress({ imageNames: ['a.png'], uninserted: ['a.png'] })
  const landed = progress({ imageNames: ['a.png'] })

  expect(shown([done], { progress: new Map([[1, inserting]]) })).toMatchObject([
    { status: 'completed', imageNames: ['a.png'] },
  ])
  expect(shown([done], { progress: new Map([[1, landed]]) })).toEqual([])
})

test('shows a failure until it is dismissed or too old', () => {
  const failed = entry(1, { status: 'failed', fault: 'No image', endedAt: NOW })

  expect(shown([failed])).toMatchObject([{ status: 'failed', fault: 'No image' }])
  expect(shown([failed], { dismissed: new Set([1]) })).toEqual([])
  expect(shown([{ ...failed, endedAt: NOW - FAILURE_SHOWN_MS }])).toEqual([])
})

test('hides canceled items and shows interrupted ones as failed', () => {
  const canceled = entry(1, { status: 'canceled' })

  expect(shown([canceled])).toEqual([])
  expect(shown([canceled], { interrupted: new Set([1]) })).toMatchObject([
    { status: 'failed', fault: INTERRUPTED },
  ])
})
