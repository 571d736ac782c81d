import { expect, test } from 'vitest'
import { readFrame } from './event-frame.ts'

test('parses a frame as an event with its data', () => {
  const frame = {
    event: 'queue_cleared',
    data: { timestamp: 1, queue_id: 'default', user_id: null },
  }

  expect(readFrame(JSON.stringify(frame))).toEqual(frame)
})

test.each([
  '',
  '{',
  'null',
  '7',
  '[]',
  '{}',
  '{"event":"queue_cleared"}',
  '{"event":"queue_cleared","data":null}',
  '{"event":"queue_cleared","data":[]}',
  '{"event":"from_the_future","data":{}}',
  '{"event":"toString","data":{}}',
  '{"event":7,"data":{}}',
  new Uint8Array([1]),
])('ignores %s', (frame) => {
  expect(readFrame(frame)).toBeNull()
})
