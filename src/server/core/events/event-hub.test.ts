import { expect, test } from 'vitest'
import type { ServerEvent } from '#contract/events.ts'
import { createSettableClock } from '#testing/settable-clock.ts'
import { LocalBus } from './event-bus.ts'
import { EventHub } from './event-hub.ts'

const news = { queue_id: 'default', user_id: null }

function setUp() {
  const failures: unknown[] = []
  const clock = createSettableClock(7_999)
  const hub = new EventHub({ clock, bus: new LocalBus((error) => failures.push(error)) })
  return { hub, failures }
}

test('sends an event to every listener once, with its time in seconds', () => {
  const { hub } = setUp()
  const heard: ServerEvent[] = []
  const listener = (event: ServerEvent) => void heard.push(event)
  hub.listen(listener)
  const stop = hub.listen(listener)

  hub.emit('queue_cleared', news)
  stop()
  hub.emit('queue_cleared', news)

  const event = { event: 'queue_cleared', data: { timestamp: 7, ...news } }
  expect(heard).toEqual([event, event, event])
})

test('reports a listener that throws and still notifies the others', () => {
  const { hub, failures } = setUp()
  const fault = new Error('No.')
  const heard: string[] = []
  hub.listen(() => {
    throw fault
  })
  hub.listen(({ event }) => heard.push(event))

  hub.emit('queue_cleared', news)

  expect(heard).toEqual(['queue_cleared'])
  expect(failures).toEqual([fault])
})

test('drops late events of an item that was stopped, but not its end', () => {
  const bus = new LocalBus((error) => {
    throw error
  })
  const hub = new EventHub({ clock: createSettableClock(0), bus })
  const heard: unknown[] = []
  const send = (event: string, item_id: number, status?: string) =>
    bus.publish({
      kind: 'event',
      event: { event, data: { item_id, status } } as unknown as ServerEvent,
    })
  hub.listen(({ event, data }) => heard.push([event, 'item_id' in data && data.item_id]))

  bus.publish({ kind: 'items_stopped', itemIds: [1] })
  send('invocation_progress', 1)
  send('queue_item_status_changed', 1, 'in_progress')
  send('queue_item_status_changed', 1, 'canceled')
  send('session_complete', 1)
  send('invocation_progress', 2)

  expect(heard).toEqual([
    ['queue_item_status_changed', 1],
    ['session_complete', 1],
    ['invocation_progress', 2],
  ])
})
