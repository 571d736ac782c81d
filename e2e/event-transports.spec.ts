import type { Page } from '@playwright/test'
import { io, type Socket } from 'socket.io-client'
import type { ServerEvent } from '#contract/events.ts'
import { graphOf } from '#testing/graph-of.ts'
import { copyOf, endlessTo, failing } from './fixtures/graphs.ts'
import { expect, test } from './fixtures.ts'

/** Timeout in ms for the first item, because the engine starts with it and a busy machine is slow. */
const RESULT_TIMEOUT = { timeout: 60_000 }

// The timeout includes starting the server and filling the library.
test.describe.configure({ timeout: 180_000 })

test("sends a browser's WebSocket and a Socket.IO client the same events in the same order", async ({
  api,
  page,
  server,
}) => {
  const cat = await api.uploadImage('cat.png')
  const { queue } = api.client
  await page.goto('/')
  await listenInBrowser(page)
  const listener = await listenBySocketIo(server.url)
  const received = async () => [await receivedInBrowser(page), listener.received.map(lineOf)]
  const expectBoth = async (lines: string[]) => {
    await expect.poll(received, RESULT_TIMEOUT).toEqual([lines, lines])
    await page.evaluate(() => Object.assign(window, { received: [] }))
    listener.received.length = 0
  }

  await queue.enqueueOne({ graph: copyOf(cat) })
  await expectBoth([
    ...begun,
    'invocation_started save',
    'invocation_progress save',
    'invocation_complete save',
    ...ended('completed'),
  ])

  await queue.enqueueOne({ graph: failing })
  await expectBoth([
    ...begun,
    'invocation_started save',
    'queue_item_status_changed failed',
    'invocation_error save',
    'session_complete failed',
  ])

  const graph = graphOf({ blank: { type: 'blank_image', width: 8, height: 8 } })
  await queue.enqueueOne({ graph })
  await expectBoth([
    ...begun,
    'invocation_started blank',
    'invocation_progress blank',
    'invocation_complete blank',
    ...ended('completed'),
  ])
  await queue.enqueueOne({ graph })
  const outOfTheCache = ['invocation_started blank', 'invocation_complete blank']
  await expectBoth([...begun, ...outOfTheCache, ...ended('completed')])

  const hanging = { graph: endlessTo(cat) }
  const itemId = await queue.enqueueOne(hanging)
  await expectBoth([...begun, 'invocation_started hang'])
  await queue.cancel(itemId)
  await expectBoth(ended('canceled'))

  await queue.enqueueOne(hanging)
  await expectBoth([...begun, 'invocation_started hang'])
  await queue.clear()
  await expectBoth([...ended('canceled'), 'queue_cleared'])
  listener.socket.close()
})

const begun = ['batch_enqueued', 'queue_item_status_changed in_progress']
const ended = (status: string) => [
  `queue_item_status_changed ${status}`,
  `session_complete ${status}`,
]

/** Returns the event name with its status or node, for comparison. */
const lineOf = ({ event, data }: ServerEvent): string => {
  if ('status' in data) return `${event} ${data.status}`
  return 'invocation_source_id' in data ? `${event} ${data.invocation_source_id}` : event
}

/** Opens a WebSocket of this test, in addition to the page's own. */
const listenInBrowser = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const received: unknown[] = []
    Object.assign(window, { received })
    const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/ws?client_id=a-script`)
    socket.onmessage = ({ data }) =>
      data !== '' && (window as unknown as { received: unknown[] }).received.push(JSON.parse(data))
    await new Promise((resolve) => {
      socket.onopen = resolve
    })
  })

const receivedInBrowser = async (page: Page): Promise<string[]> => {
  const received = await page.evaluate(
    () => (window as unknown as { received: ServerEvent[] }).received,
  )
  return received.map(lineOf)
}

async function listenBySocketIo(url: string): Promise<{ socket: Socket; received: ServerEvent[] }> {
  const received: ServerEvent[] = []
  const socket = io(url, { path: '/ws/socket.io', transports: ['websocket'] })
  socket.onAny((event, data) => received.push({ event, data }))
  await new Promise<void>((resolve) => {
    socket.once('connect', resolve)
  })
  socket.emit('subscribe_queue', { queue_id: 'default' })
  return { socket, received }
}
