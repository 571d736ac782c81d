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
import { OutboxWorker, PAUSED } from './outbox-worker.ts'
import { CANCELED } from './skip-reasons.ts'

const star = (targets: readonly string[], wanted = true): Change => ({
  aspect: 'starred',
  targets,
  wanted,
  before: !wanted,
})

/** Creates a worker with prepared answers of the server and a clock that only `sleep` advances. */
function setUp(overrides: Partial<OutboxWork> = {}) {
  let now = 0
  const sent: { at: number; wanted: Value; targets: string[] }[] = []
  const answers: (Refusals | Error)[] = []
  let saved: readonly Entry[] = []
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
    save: (entries) => {
      saved = entries
    },
    now: () => now,
    sleep: async (ms) => {
      now += ms
    },
    ...overrides,
  })
  return { worker, sent, answers, saved: () => saved, now: () => now }
}

test('resolves a step when the server has answered', async () => {
  const { worker, sent } = setUp()

  const { outcome } = worker.take([star(['cat', 'dog'])])

  expect(await outcome).toEqual({ done: ['cat', 'dog'], failed: [] })
  expect(sent).toEqual([{ at: 0, wanted: true, targets: ['cat', 'dog'] }])
})

test('reverts a change that is reverted in the moment in which it is sent', async () => {
  const { worker, sent } = setUp()

  worker.take([star(['cat'])])
  await worker.take([star(['cat'], false)]).outcome

  expect(sent.at(-1)?.wanted ?? false).toBe(false)
})

test('reports each part except the last of a step with several requests', async () => {
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

test('reports refused targets with their reasons', async () => {
  const { worker, answers } = setUp()
  answers.push(new Map([['dog', 'It is gone.']]))

  const { outcome } = worker.take([star(['cat', 'dog'])])

  expect(await outcome).toEqual({ done: ['cat'], failed: [{ name: 'dog', reason: 'It is gone.' }] })
})

test('fails all targets of a refused request', async () => {
  const { worker, answers } = setUp()
  answers.push(new Error('The disk is full.'))

  const { outcome } = worker.take([star(['cat', 'dog'])])

  expect((await outcome).failed.map(({ reason }) => reason)).toEqual([
    'The disk is full.',
    'The disk is full.',
  ])
})

test('retries an unanswered request with exponential backoff', async () => {
  const { worker, answers, sent } = setUp()
  answers.push(new NoAnswerError(), new NoAnswerError(), new NoAnswerError())

  const { outcome } = worker.take([star(['cat'])])

  expect((await outcome).done).toEqual(['cat'])
  expect(sent.map(({ at }) => at)).toEqual([0, 1000, 3000, 7000])
})

test('merges changes while the rate limits delay a request', async () => {
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

test('sends other requests while one waits for its rate limit', async () => {
  const { worker, sent } = setUp({
    freeAt: ({ entries }) => (countTargets(entries) > 1 ? 10_000 : 0),
    sleep: () => new Promise(() => {}),
  })

  worker.take([star(['cat', 'dog'])])
  await worker.take([star(['fox'], false)]).outcome

  expect(sent.map(({ targets }) => targets)).toEqual([['fox']])
  expect(worker.getState()).toEqual({ steps: 1, nextAt: 10_000, failures: 0 })
})

test('looks up unknown previous values before it sends a change', async () => {
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

test('saves unconfirmed changes and removes confirmed ones', async () => {
  const { worker, saved } = setUp()

  const { outcome } = worker.take([star(['cat'])])
  expect(targetsOf(saved())).toEqual(['cat'])
  await outcome

  expect(saved()).toEqual([])
})

test('never sends a delayed change that is withdrawn', async () => {
  const { worker, sent } = setUp()

  const { outcome } = worker.take([star(['cat'])], { heldUntil: 10_000 })
  expect(worker.withdraw({ aspect: 'starred', targets: ['cat'] })).toEqual(['cat'])
  await outcome

  expect(sent).toEqual([])
})

test('splits fifty thousand targets into requests', async () => {
  const { worker, sent } = setUp({ maxTargets: () => 20_000 })
  const names = Array.from({ length: 50_000 }, (_, index) => `${index}.png`)

  const { outcome } = worker.take([star(names)])

  expect((await outcome).done).toHaveLength(50_000)
  expect(sent.map(({ targets }) => targets.length)).toEqual([20_000, 20_000, 10_000])
})

test('sends a change even if the clock ticks while it is selected', async () => {
  let ticks = 0
  const { worker, sent } = setUp({
    now: () => ticks++,
    freeAt: () => ticks++,
    sleep: () => new Promise((resolve) => setTimeout(resolve)),
  })

  await worker.take([star(['cat'])]).outcome

  expect(sent.map(({ targets }) => targets)).toEqual([['cat']])
})

test('sends a delayed change while another one waits for its limit', async () => {
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

test('sends delayed changes at once after a release', async () => {
  // Time stands still: only the release can send it.
  const { worker, sent } = setUp({ sleep: () => new Promise(() => {}) })
  const { outcome } = worker.take([star(['cat'])], { heldUntil: 10_000 })

  worker.release()

  expect((await outcome).done).toEqual(['cat'])
  expect(sent).toEqual([{ at: 0, wanted: true, targets: ['cat'] }])
})

test('neither sends nor saves dropped changes', async () => {
  const { worker, sent, saved } = setUp()
  worker.take([star(['cat'])], { heldUntil: 10_000 })

  worker.drop()
  await worker.take([star(['dog'])]).outcome

  expect(sent.map(({ targets }) => targets)).toEqual([['dog']])
  expect(saved()).toEqual([])
})

test('holds the unsent parts of a paused step, also in the storage, and sends them on Resume', async () => {
  const answer = Promise.withResolvers<Refusals>()
  const sent: number[] = []
  const { worker, saved } = setUp({
    maxTargets: () => 2,
    // Real time, because the worker looks again while a change is paused.
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, Math.min(ms, 1))),
    send: (request) => {
      sent.push(countTargets(request.entries))
      return sent.length === 1 ? answer.promise : Promise.resolve(new Map())
    },
  })
  const { step, outcome } = worker.take([star(['cat', 'dog', 'cow'])])
  worker.pause(step)
  answer.resolve(new Map())
  await vi.waitFor(() => expect(saved().map(({ heldUntil }) => heldUntil)).toEqual([PAUSED]))

  expect(sent).toEqual([2])
  worker.resume(step)

  expect((await outcome).done).toEqual(['cat', 'dog', 'cow'])
  expect(sent).toEqual([2, 1])
})

test('drops the unsent parts of a canceled step and keeps the others', async () => {
  const { worker, sent } = setUp({ maxTargets: () => 2 })
  const { step, outcome } = worker.take([star(['cat', 'dog', 'cow'])], {
    onPart: () => worker.cancel(step),
  })
  const other = worker.take([star(['hen'], false)])

  expect(await outcome).toEqual({
    done: ['cat', 'dog'],
    failed: [{ name: 'cow', reason: CANCELED }],
  })
  await other.outcome
  expect(sent.flatMap(({ targets }) => targets)).toEqual(['cat', 'dog', 'hen'])
})
