import fc from 'fast-check'
import { expect, test } from 'vitest'
import { targetOf } from '#gallery/api/duplicate-requests.ts'
import { nextRequests } from './outbox-next.ts'
import {
  addChanges,
  applyAnswer,
  applyLookup,
  type Change,
  emptyOutbox,
  type Outbox,
  requeueUnanswered,
  startRequest,
  targetsOf,
  withdrawChanges,
} from './outbox-state.ts'

const star = (target: string, wanted: boolean, before: boolean | undefined): Change => ({
  aspect: 'starred',
  targets: [target],
  wanted,
  before,
})

const move = (target: string, wanted: string, before: string | undefined): Change => ({
  aspect: 'board',
  targets: [target],
  wanted,
  before,
})

const after = (...changes: Change[]): Outbox =>
  changes.reduce((outbox, change, step) => addChanges(outbox, [change], step).outbox, emptyOutbox)

const request = (outbox: Outbox, maxTargets = 1000, now = 0) =>
  nextRequests(outbox, { now, maxTargets: () => maxTargets })[0] ?? null

const send = (outbox: Outbox) => {
  const sent = request(outbox)
  if (sent === null) throw new Error('nothing to send')
  return startRequest(outbox, sent)
}

const wantedOf = (outbox: Outbox) =>
  outbox.waiting.flatMap(({ targets, wanted }) => targets.map((target) => [target, wanted]))

test('cancels out a star that is added and removed', () => {
  const first = addChanges(emptyOutbox, [star('cat', true, false)], 1)
  const second = addChanges(first.outbox, [star('cat', false, true)], 2)

  expect(request(second.outbox)).toBeNull()
  expect(second.settled.flatMap(({ steps }) => steps)).toEqual([1, 2])
})

test('merges changes of one tag in different spellings', () => {
  const tag = (name: string, wanted: boolean): Change => ({
    ...star('owl', wanted, !wanted),
    aspect: `tag:${name}`,
  })
  const outbox = after(
    tag('cat', true),
    tag('Cat', false),
    tag('people/anna', true),
    tag('CAT', true),
  )

  expect(outbox.waiting.map(({ aspect, wanted }) => [aspect, wanted])).toEqual([
    ['tag:people/anna', true],
    ['tag:CAT', true],
  ])
})

test('orders emptying the trash between earlier and later deletions', () => {
  const trash = (target: string): Change => ({ ...star(target, true, false), aspect: 'trashed' })
  const empty = (target: string): Change => ({ ...trash(target), aspect: 'trash_emptied' })
  let outbox = after(trash('cat'), empty('first'), star('owl', true, false), trash('dog'))
  outbox = addChanges(outbox, [empty('second')], 5).outbox

  const sent: string[][] = []
  for (let next = request(outbox, 1); next !== null; next = request(outbox, 1)) {
    sent.push(targetsOf(next.entries))
    outbox = applyAnswer(startRequest(outbox, next), new Set()).outbox
  }

  expect(sent).toEqual([['cat'], ['first'], ['owl'], ['dog'], ['second']])
})

test('resolves duplicates after earlier changes of their images, in one request', () => {
  const resolve = (...names: readonly string[]): Change => {
    const targets = [targetOf({ id: names.join(), names })]
    return { aspect: 'duplicates_resolved', targets, wanted: true, before: false }
  }
  const empty: Change = { ...star('first', true, false), aspect: 'trash_emptied' }
  const outbox = after(star('cat', true, false), resolve('a', 'cat'), resolve('b', 'c'), empty)

  const sent = (left: Outbox): string[][] => {
    const next = nextRequests(left, { now: 0, maxTargets: () => 10 }).at(-1)
    if (next === undefined) return []
    const then = applyAnswer(startRequest(left, next), new Set()).outbox
    return [targetsOf(next.entries).map((target) => target.split('\t')[0] ?? ''), ...sent(then)]
  }
  // The last request that can be sent goes first here, as if the others had to wait for their limit.
  expect(sent(outbox)).toEqual([['b,c'], ['cat'], ['a,cat'], ['first']])
})

/** Returns the aspects of the requests that can be sent now. */
const nextAspects = (outbox: Outbox) =>
  nextRequests(outbox, { now: 0, maxTargets: () => 10 }).map(({ aspect }) => aspect)

test.each<Partial<Change>>([
  { aspect: 'starred' },
  { aspect: 'rating', wanted: 4 },
  { aspect: 'tag:castle' },
])('restores an image before %j', (change) => {
  const restore: Change = { ...star('cat', false, true), aspect: 'trashed' }
  const outbox = after(restore, { ...star('cat', true, false), ...change })

  expect(nextAspects(outbox)).toEqual(['trashed'])
})

test.each([
  ['the kept image', 'a', true, false],
  ['another image', 'b', true, true],
  ['another image, after an Undo,', 'b', false, false],
])('a later rating of %s of duplicates', (_, target, wanted, isSentAtOnce) => {
  const targets = [targetOf({ id: '1', names: ['a', 'b'] })]
  const resolve: Change = { aspect: 'duplicates_resolved', targets, wanted, before: !wanted }
  const rating: Change = { aspect: 'rating', targets: [target], wanted: 2, before: 0 }

  expect(nextAspects(after(resolve, rating)).includes('rating')).toBe(isSentAtOnce)
})

test('sends only the second of two moves', () => {
  const outbox = after(move('cat', 'a', 'none'), move('cat', 'b', 'a'))

  expect(wantedOf(outbox)).toEqual([['cat', 'b']])
})

test('cancels out a move and its reversal', () => {
  const outbox = after(move('cat', 'a', 'none'), move('cat', 'none', 'a'))

  expect(outbox.waiting.length).toBe(0)
})

test('does not send a value that the server already has', () => {
  const { outbox, settled } = addChanges(emptyOutbox, [star('cat', true, true)], 1)

  expect(request(outbox)).toBeNull()
  expect(settled).toMatchObject([{ steps: [1], targets: ['cat'] }])
})

test('sends a reversal if the previous value is unknown', () => {
  const outbox = after(star('cat', true, undefined), star('cat', false, undefined))

  expect(wantedOf(outbox)).toEqual([['cat', false]])
})

test('combines changes with the same value in one request up to the limit', () => {
  const outbox = after(move('1', 'a', 'x'), move('2', 'b', 'x'), move('3', 'a', 'x'))

  expect(targetsOf(request(outbox)?.entries ?? [])).toEqual(['1', '3'])
  expect(targetsOf(request(outbox, 1)?.entries ?? [])).toEqual(['1'])
})

test('sends other changes before a delayed one', () => {
  const held = addChanges(emptyOutbox, [{ ...star('cat', true, false) }], 1, 500)
  const { outbox } = addChanges(held.outbox, [star('dog', true, false)], 2)

  expect(targetsOf(request(outbox, 10, 100)?.entries ?? [])).toEqual(['dog'])
  expect(request(outbox, 10, 500)?.entries).toHaveLength(2)
})

test('sends a change after an active request with the opposite value', () => {
  const underWay = send(after(star('cat', true, false)))
  const { outbox } = addChanges(underWay, [star('cat', false, true)], 2)

  const { outbox: then } = applyAnswer(outbox, new Set())

  expect(wantedOf(then)).toEqual([['cat', false]])
})

test('merges a change back into the active request', () => {
  const underWay = send(after(star('cat', true, false)))
  const off = addChanges(underWay, [star('cat', false, true)], 2)
  const on = addChanges(off.outbox, [star('cat', true, false)], 3)

  const { outbox, entries } = applyAnswer(on.outbox, new Set())

  expect(outbox.waiting.length).toBe(0)
  expect(entries[0]?.steps).toEqual([0, 2, 3])
})

test('passes the value on the server to later changes after a refusal', () => {
  const underWay = send(after(move('cat', 'a', 'none')))
  const { outbox } = addChanges(underWay, [move('cat', 'b', 'a')], 2)
  const { outbox: refused } = applyAnswer(outbox, new Set(['cat']))

  const back = addChanges(refused, [move('cat', 'none', 'b')], 3)

  expect(back.outbox.waiting.length).toBe(0)
})

test('sends an unanswered request again before all others', () => {
  const underWay = send(after(star('cat', true, false)))
  const { outbox } = addChanges(underWay, [move('dog', 'a', 'none')], 2)

  expect(wantedOf(requeueUnanswered(outbox))).toEqual([
    ['cat', true],
    ['dog', 'a'],
  ])
})

test('sends the latest value after an unanswered request', () => {
  const underWay = send(after(star('cat', true, false)))
  const { outbox } = addChanges(underWay, [star('cat', false, true)], 2)

  const again = requeueUnanswered(outbox)

  expect(wantedOf(again)).toEqual([['cat', false]])
  expect(again.waiting[0]?.steps).toEqual([0, 2])
})

test('does not send withdrawn changes', () => {
  const { outbox, withdrawn: entries } = withdrawChanges(
    after(star('cat', true, undefined), star('dog', true, undefined)),
    { aspect: 'starred', targets: ['cat'] },
  )

  expect(targetsOf(request(outbox)?.entries ?? [])).toEqual(['dog'])
  expect(targetsOf(entries)).toEqual(['cat'])
})

test('settles a change to the value that a lookup returned', () => {
  const outbox = after(star('cat', true, undefined), star('dog', true, undefined))

  const known = applyLookup(
    outbox,
    outbox.waiting,
    new Map([
      ['cat', true],
      ['dog', false],
    ]),
  )

  expect(wantedOf(known.outbox)).toEqual([['dog', true]])
  expect(known.settled).toMatchObject([{ steps: [0], targets: ['cat'] }])
})

test('ends with the latest values on the server for all event sequences', () => {
  const targets = ['a', 'b', 'c']
  const event = fc.oneof(
    fc.record({
      kind: fc.constant('want' as const),
      targets: fc.subarray(targets, { minLength: 1 }),
      wanted: fc.constantFrom('x', 'y', 'z'),
    }),
    fc.record({
      kind: fc.constantFrom('send' as const, 'answer' as const, 'lose' as const, 'half' as const),
    }),
  )
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), (events) => {
      const server = new Map(targets.map((target) => [target, 'x']))
      const wanted = new Map(server)
      let outbox = emptyOutbox
      const work = () => {
        for (const { targets, wanted } of outbox.sending) {
          for (const target of targets) server.set(target, String(wanted))
        }
      }
      const step = (kind: string) => {
        if (kind === 'send' && outbox.sending.length === 0) {
          const next = request(outbox)
          if (next) outbox = startRequest(outbox, next)
        }
        // `lose`: the request did not arrive. `half`: the server did the work, and its answer was lost.
        if (kind === 'lose') outbox = requeueUnanswered(outbox)
        if (kind === 'half' || kind === 'answer') work()
        if (kind === 'half') outbox = requeueUnanswered(outbox)
        if (kind === 'answer') outbox = applyAnswer(outbox, new Set()).outbox
      }
      for (const [index, one] of events.entries()) {
        if (one.kind !== 'want') step(one.kind)
        else {
          const alike = Map.groupBy(one.targets, (target) => wanted.get(target))
          const changes = [...alike].map(([before, targets]) => ({
            ...move('', one.wanted, before),
            targets,
          }))
          outbox = addChanges(outbox, changes, index).outbox
          for (const target of one.targets) wanted.set(target, one.wanted)
        }
      }
      while (outbox.waiting.length + outbox.sending.length > 0) {
        step('send')
        step('answer')
      }

      expect(server).toEqual(wanted)
    }),
  )
})
