import { IDBFactory } from 'fake-indexeddb'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { systemClock } from '#gallery/api/clock.ts'
import { OtherTabs } from '#gallery/api/connection/other-tabs.ts'
import type { Outcome } from '#gallery/api/outbox/outbox-open-steps.ts'
import { CHANGED } from '#gallery/api/outbox/skip-reasons.ts'
import { Journal } from './journal.ts'
import { JournalStorage } from './journal-storage.ts'
import type { JournalEvent } from './journal-types.ts'
import type { StepRecipe } from './recipe.ts'

beforeEach(() => void vi.stubGlobal('indexedDB', new IDBFactory()))

const done = (...names: string[]): Outcome => ({ done: names, failed: [] })

const failed = (reason: string, ...names: string[]): Outcome => ({
  done: [],
  failed: names.map((name) => ({ name, reason })),
})

const recipe = (...names: string[]): StepRecipe => ({
  kind: 'step',
  options: { aspect: 'starred', wanted: true },
  had: new Map([[false, names]]),
})

const starred = (count: number) => ({ aspect: 'starred', wanted: true, count }) as const

/** A tab with a journal. It records the steps that run by recipe, and answers them with `answers`, else with success. */
function openTab(name: string) {
  vi.stubGlobal('sessionStorage', { getItem: () => `tessera:outbox:${name}` })
  const closing = new AbortController()
  onTestFinished(() => closing.abort())
  const tabs = new OtherTabs((channel) => new BroadcastChannel(channel))
  const ran: string[] = []
  const answers: Outcome[] = []
  const events: JournalEvent[] = []
  const journal = new Journal({ clock: systemClock, tabs }, ({ action }, { kind, ...rest }) => {
    const names = 'had' in rest ? [...rest.had.values()].flat() : []
    const run = (verb: string) => async () => {
      ran.push(`${verb} ${action.count} ${kind}: ${names}`)
      return answers.shift() ?? done(...names)
    }
    return { undo: run('undo'), redo: run('redo') }
  })
  tabs.start(closing.signal, (message) => {
    if (message.kind === 'journal') journal.applyTabMessage(message.message)
  })
  journal.events.add((event) => events.push(event))
  journal.start(Promise.resolve())
  /** Adds a confirmed action with the star of images. */
  const take = (...names: string[]) => {
    const action = starred(names.length)
    const id = journal.add({ action, thumbnails: names, recipe: recipe(...names) }, null)
    journal.confirm(id)
    return id
  }
  const states = () => journal.getState().map(({ state }) => state)
  const settled = () =>
    vi.waitFor(() => expect(journal.getState().some(({ isPending }) => isPending)).toBe(false))
  return { journal, take, states, settled, ran, answers, events }
}

test('undoes and redoes in turn', async () => {
  const { journal, take, states, settled, ran } = openTab('one')
  take('a.png')
  take('b.png', 'c.png')

  expect([journal.undoLast(), journal.undoLast(), journal.undoLast()]).toEqual([true, true, false])
  expect(states()).toEqual(['undone', 'undone'])
  await settled()
  expect([journal.redoLast(), journal.redoLast(), journal.redoLast()]).toEqual([true, true, false])
  await settled()

  expect(states()).toEqual(['done', 'done'])
  expect(ran).toEqual([
    'undo 2 step: b.png,c.png',
    'undo 1 step: a.png',
    'redo 1 step: a.png',
    'redo 2 step: b.png,c.png',
  ])
})

test('keeps the actions across a reload', async () => {
  const before = openTab('one')
  before.take('a.png')
  before.take('b.png')
  before.journal.undoLast()
  await before.settled()

  const after = openTab('one')
  await vi.waitFor(() => expect(after.states()).toEqual(['done', 'undone']))
  after.journal.redoLast()
  await after.settled()
  after.journal.goTo(null)
  await after.settled()

  expect(after.ran).toEqual(['redo 1 step: b.png', 'undo 1 step: b.png', 'undo 1 step: a.png'])
})

test('shows an action in all tabs, and another tab can undo it', async () => {
  const [one, other] = [openTab('one'), openTab('other')]
  one.take('a.png')
  await vi.waitFor(() => expect(other.journal.getState()).toHaveLength(1))
  await other.settled()

  other.journal.undoLast()

  await vi.waitFor(() => expect(one.states()).toEqual(['undone']))
  await other.settled()
  expect(other.ran).toEqual(['undo 1 step: a.png'])
  expect(one.journal.undoLast()).toBe(false)
})

test('lets the tab undo an action that it has not sent', async () => {
  const [one, other] = [openTab('one'), openTab('other')]
  const undo = vi.fn(async () => done('a.png'))
  one.journal.add({ action: starred(1), thumbnails: [], recipe: recipe('a.png') }, undo)
  await vi.waitFor(() => expect(other.journal.getState()).toHaveLength(1))

  other.journal.undoLast()

  await vi.waitFor(() => expect(undo).toHaveBeenCalledOnce())
  expect(other.ran).toEqual([])
  await vi.waitFor(() => expect(other.states()).toEqual(['undone']))
})

test('keeps an action whose Undo is refused, and Retry undoes it', async () => {
  const { journal, take, states, settled, answers, events } = openTab('one')
  take('a.png')
  answers.push(failed('The disk is full.', 'a.png'))

  journal.undoLast()
  await settled()

  expect(states()).toEqual(['done'])
  expect(journal.getState()[0]?.problem).toBe('The disk is full.')
  expect(events).toMatchObject([{ kind: 'refused', verb: 'undo' }])
  events[0]?.retry?.()
  await settled()
  expect(states()).toEqual(['undone'])
})

test('reports skipped images, and redoes only the others', async () => {
  const { journal, take, settled, answers, events, ran } = openTab('one')
  take('a.png', 'b.png')
  answers.push({ ...failed(CHANGED.board, 'b.png'), done: ['a.png'] })

  journal.undoLast()
  await settled()
  journal.redoLast()
  await settled()

  expect(events).toMatchObject([{ kind: 'skipped', failed: [{ name: 'b.png' }] }])
  expect(ran.at(-1)).toBe('redo 2 step: a.png')
})

test('passes over an action whose images have all been changed since', async () => {
  const { journal, take, states, settled, answers } = openTab('one')
  take('a.png')
  take('b.png')
  answers.push(failed(CHANGED.board, 'b.png'))

  journal.undoLast()
  await settled()
  journal.undoLast()
  await settled()

  expect(states()).toEqual(['undone', 'stale'])
})

test('waits for an Undo of a board before it continues', async () => {
  const { journal, take, settled, ran } = openTab('one')
  take('a.png')
  const board = { aspect: 'board_trashed', wanted: 'with images', count: 1 } as const
  const answer = Promise.withResolvers<Outcome>()
  journal.confirm(journal.add({ action: board, thumbnails: [] }, () => answer.promise))
  take('b.png')

  journal.goTo(null)
  await vi.waitFor(() => expect(ran).toEqual(['undo 1 step: b.png']))
  answer.resolve(done('board'))
  await settled()

  expect(ran).toEqual(['undo 1 step: b.png', 'undo 1 step: a.png'])
})

test('tells when a reload keeps the actions so far', async () => {
  const before = openTab('one')
  before.take('a.png')
  before.take('b.png')
  before.journal.undoLast()
  await before.settled()
  await before.journal.stored()

  const stored = await new JournalStorage().load()
  expect(stored.map(({ state, isPending }) => ({ state, isPending }))).toEqual([
    { state: 'done', isPending: false },
    { state: 'undone', isPending: false },
  ])
})

test('keeps an action of this tab alone out of the storage', async () => {
  const before = openTab('one')
  const local = { action: starred(1), thumbnails: [], isLocal: true, recipe: recipe('a.png') }
  before.journal.add(local, async () => done())
  before.take('b.png')

  const after = openTab('one')
  await vi.waitFor(() => expect(after.states()).toEqual(['done']))

  expect(after.journal.getState()[0]?.thumbnails).toEqual(['b.png'])
})

test('stores an action with its recipe, or not at all', async () => {
  const before = openTab('one')
  const unnamed = before.journal.add({ action: starred(1), thumbnails: ['a.png'] }, null)
  before.take('b.png')
  const after = openTab('one')
  await vi.waitFor(() => expect(after.states()).toEqual(['done']))

  before.journal.save(unnamed, recipe('a.png'))
  const last = openTab('one')
  await vi.waitFor(() => expect(last.states()).toEqual(['done', 'done']))
  last.journal.goTo(null)
  await last.settled()

  expect(last.ran.toSorted()).toEqual(['undo 1 step: a.png', 'undo 1 step: b.png'])
})

test('works in this tab without storage', async () => {
  vi.stubGlobal('indexedDB', undefined)
  const { journal, take, settled, ran } = openTab('one')
  take('a.png')

  journal.undoLast()
  await settled()

  expect(ran).toEqual(['undo 1 step: a.png'])
})

test('forgets all actions when another account signs in', async () => {
  const before = openTab('one')
  before.take('a.png')

  await before.journal.clear()

  expect(before.states()).toEqual([])
  const after = openTab('one')
  await vi.waitFor(() => expect(after.states()).toEqual([]))
})
