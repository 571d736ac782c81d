import { expect, test } from 'vitest'
import type { EventData } from '#contract/events.ts'
import { recordFromEvent, SAVING } from './record-from-event.ts'

const invocation = {
  id: 'save',
  type: 'save_image',
  is_intermediate: false,
  use_cache: false,
  board: { board_id: 'portraits' },
}
const result = { type: 'image_output', image: { image_name: 'a b.png' }, width: 640, height: 480 }

const news: EventData<'invocation_complete'> = {
  timestamp: 1_795_332_000,
  queue_id: 'default',
  user_id: 'system',
  item_id: 1,
  batch_id: 'batch',
  origin: null,
  destination: null,
  session_id: 'session',
  invocation,
  invocation_source_id: 'save',
  result,
}

test('builds a provisional record from the event of a saved image', () => {
  expect(recordFromEvent(news, SAVING)).toMatchObject({
    image_name: 'a b.png',
    thumbnail_url: 'api/v1/images/i/a%20b.png/thumbnail',
    width: 640,
    height: 480,
    board_id: 'portraits',
    session_id: 'session',
    created_at: '2026-11-22 07:20:00.999',
  })
})

test.each([
  ['a cached result', news, null],
  ['another step', news, 'Blur'],
  [
    'several images',
    { ...news, result: { type: 'image_collection_output', collection: [] } },
    SAVING,
  ],
])('returns null for %s', (_, event, step) => {
  expect(recordFromEvent(event, step)).toBeNull()
})
