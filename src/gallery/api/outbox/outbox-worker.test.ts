import { expect, onTestFinished, test, vi } from 'vitest'
import {
  type Change,
  countTargets,
  type Entry,
  type Request,
  targetsOf,
  type Value,
} from './outbox-state.ts'
import { NoAnswerError, type OutboxWork, type Refusals } from './outbox-work.ts'
import { OutboxWorker } from './outbox-worker.ts'

const star = (targets: readonly string[], wanted = true): Change => ({
  aspect: 'starred',
  targets,
  wanted,
  before: !wanted,
})

/** A server that answers as it is told, and a clock that moves only when somebody sleeps. */
function setUp(overrides: Partial<OutboxWork> = {}) {
  let now = 0
  const sent: { at: number; wanted: Value; targets: string[] }[] = []
  const answers: (Refusals | Error)[] = []
  let kept: readonly Entry[] = []
  const worker = new OutboxWorker({
    send: async ({ wanted, entries }: Request) => {
      sent.push({ at: now, wanted, targets: targetsOf(entries) })
      const answer = answers.shift() ?? new Map()
      if (answer instanceof Error) throw answer
      return answer
    },
    freeAt: () => now,
    maxTargets: () => 1000,
    lookUp: async () => new Map(),
    keep: (entries) => {
      kept = entries
    },
    now: () => now,
    sleep: async (ms) => {
      now += ms
    },
    ...overrides,
  })
  return { worker, sent, answers, kept: () => kept, now: () => now }
}

test('a step is done when the server has answered', async () => {
  const { worker, sent } = setUp()

  const { outcome } = worker.take([star(['cat', 'dog'])])

  expect(await outcome).toEqual({ done: ['cat', 'dog'], failed: [] })
  expect(sent).toEqual([{ at: 0, wanted: true, targets: ['cat', 'dog'] }])
})

test('a step that needs several requests tells of each part but the last', async () => {
  const { worker, answers } = setUp({ maxTargets: () => 2 })
  answers.push(new Map(), new Map([['cow', 'It is gone.']]))
  const parts: number[] = []

  const { outcome, left } = worker.take([star(['cat', 'dog', 'cow', 'hen', 'pig'])], {
    onPart: (count) => parts.push(count),
  })

  expect(left).toBe(5)
  expect((await outcome).done).toEqual(['cat', 'dog', 'hen', 'pig'])
  expect(parts).toEqual([2, 1])
})

test('what the server refuses is named with its reason', async () => {
  const { worker, answers } = setUp()
  answers.push(new Map([['dog', 'It is gone.']]))

  const { outcome } = worker.take([star(['cat', 'dog'])])

  expect(await outcome).toEqual({ done: ['cat'], failed: [{ name: 'dog', reason: 'It is gone.' }] })
})

test('a request that is refused as a whole fails all its targets', async () => {
  const { worker, answers } = setUp()
  answers.push(new Error('The disk is full.'))

  const { outcome } = worker.take([star(['cat', 'dog'])])

  expect((await outcome).failed.map(({ reason }) => reason)).toEqual([
    'The disk is full.',
    'The disk is full.',
  ])
})

test('without an answer it is sent again, with longer and longer waits', async () => {
  const { worker, answers, sent } = setUp()
  answers.push(new NoAnswerError(), new NoAnswerError(), new NoAnswerError())

  const { outcome } = worker.take([star(['cat'])])

  expect((await outcome).done).toEqual(['cat'])
  expect(sent.map(({ at }) => at)).toEqual([0, 1000, 3000, 7000])
})

test('while the limits make it wait, what comes is merged', async () => {
  let free = () => {}
  const isFree = new Promise<void>((resolve) => {
    free = resolve
  })
  let freeAt = 12_000
  const { worker, sent } = setUp({ freeAt: () => freeAt, sleep: () => isFree, now: () => 0 })

  worker.take([star(['cat'])])
  const { outcome } = worker.take([star(['dog'])])
  worker.take([star(['cat'], false)])
  expect(worker.getState()).toEqual({ steps: 1, nextAt: 12_000, failures: 0 })
  freeAt = 0
  free()
  await outcome

  expect(sent).toEqual([{ at: 0, wanted: true, targets: ['dog'] }])
})

test('what has to wait lets pass what need not', async () => {
  const { worker, sent } = setUp({
    freeAt: ({ entries }) => (countTargets(entries) > 1 ? 10_000 : 0),
    sleep: () => new Promise(() => {}),
  })

  worker.take([star(['cat', 'dog'])])
  await worker.take([star(['fox'], false)]).outcome

  expect(sent.map(({ targets }) => targets)).toEqual([['fox']])
  expect(worker.getState()).toEqual({ steps: 1, nextAt: 10_000, failures: 0 })
})

test('what is not known of the server is asked before it is sent', async () => {
  const learnt: [readonly string[], Value][] = []
  const { worker, sent } = setUp({
    lookUp: async () =>
      new Map([
        ['cat', true],
        ['dog', false],
      ]),
  })

  const { outcome } = worker.take([{ ...star(['cat', 'dog']), before: undefined }], {
    onLearned: (targets, value) => learnt.push([targets, value]),
  })
  await outcome

  expect(sent.map(({ targets }) => targets)).toEqual([['dog']])
  expect(learnt).toEqual([
    [['cat'], true],
    [['dog'], false],
  ])
})

test('what was not confirmed is kept, and nothing after that', async () => {
  const { worker, kept } = setUp()

  const { outcome } = worker.take([star(['cat'])])
  expect(targetsOf(kept())).toEqual(['cat'])
  await outcome

  expect(kept()).toEqual([])
})

test('what is held back can be withdrawn, and is never sent', async () => {
  const { worker, sent } = setUp()

  const { outcome } = worker.take([star(['cat'])], { heldUntil: 10_000 })
  expect(worker.withdraw({ aspect: 'starred', targets: ['cat'] })).toEqual(['cat'])
  await outcome

  expect(sent).toEqual([])
})

test('fifty thousand targets go in requests of what fits', async () => {
  const { worker, sent } = setUp({ maxTargets: () => 20_000 })
  const names = Array.from({ length: 50_000 }, (_, index) => `${index}.png`)

  const { outcome } = worker.take([star(names)])

  expect((await outcome).done).toHaveLength(50_000)
  expect(sent.map(({ targets }) => targets.length)).toEqual([20_000, 20_000, 10_000])
})

test('when looking through what waits takes longer than a tick of the clock, it is sent all the same', async () => {
  let ticks = 0
  const { worker, sent } = setUp({
    now: () => ticks++,
    freeAt: () => ticks++,
    sleep: () => new Promise((resolve) => setTimeout(resolve)),
  })

  await worker.take([star(['cat'])]).outcome

  expect(sent.map(({ targets }) => targets)).toEqual([['cat']])
})

test('what was held back passes what has to wait for its limit', async () => {
  vi.useFakeTimers({ now: 0 })
  onTestFinished(() => void vi.useRealTimers())
  const move: Change = { aspect: 'board', targets: ['owl'], wanted: 'birds', before: 'none' }
  const { worker, sent } = setUp({
    now: () => Date.now(),
    freeAt: ({ aspect }) => Math.max(Date.now(), aspect === 'starred' ? 60_000 : 0),
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  })

  worker.take([star(['cat'])])
  worker.take([move], { heldUntil: 100 })
  await vi.advanceTimersByTimeAsync(200)

  expect(sent.map(({ targets }) => targets)).toEqual([['owl']])
})

test('what is held back goes at once when it is released', async () => {
  // Time stands still: only the release can send it.
  const { worker, sent } = setUp({ sleep: () => new Promise(() => {}) })
  const { outcome } = worker.take([star(['cat'])], { heldUntil: 10_000 })

  worker.release()

  expect((await outcome).done).toEqual(['cat'])
  expect(sent).toEqual([{ at: 0, wanted: true, targets: ['cat'] }])
})

test('what was dropped is neither sent nor kept', async () => {
  const { worker, sent, kept } = setUp()
  worker.take([star(['cat'])], { heldUntil: 10_000 })

  worker.drop()
  await worker.take([star(['dog'])]).outcome

  expect(sent.map(({ targets }) => targets)).toEqual([['dog']])
  expect(kept()).toEqual([])
})
