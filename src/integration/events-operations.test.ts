import { expect, test } from 'vitest'
import type { ServerEvent } from '#contract/events.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { startServer } from '#testing/server/start-server.ts'
import { EventPeer } from './event-peer.ts'

test('emits no events for operations on boards and images, except bulk downloads', async () => {
  const server = await startServer()
  const { boards } = server.client
  const peer = await EventPeer.open(server.url)

  const board = await boards.createBoard('Portraits')
  const { image_name } = await board.uploadImageData(await drawFile('cat.png'))
  await board.starImage(image_name)
  await board.removeImage(image_name)
  await boards.deleteBoard(board.boardId)
  const started = await fetch(`${server.url}/api/v1/images/download`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ image_names: [image_name] }),
  })
  const { bulk_download_item_name } = (await started.json()) as { bulk_download_item_name: string }

  const events = await peer.events(2)
  expect(events.map(summaryOf)).toEqual([
    ['bulk_download_started', bulk_download_item_name],
    ['bulk_download_complete', bulk_download_item_name],
  ])
  const zip = await fetch(`${server.url}/api/v1/images/download/${bulk_download_item_name}`)
  expect([zip.status, zip.headers.get('content-type')]).toEqual([200, 'application/zip'])
  await zip.body?.cancel()
  await server.close()
})

const summaryOf = ({ event, data }: ServerEvent) => [
  event,
  'bulk_download_item_name' in data ? data.bulk_download_item_name : null,
]
