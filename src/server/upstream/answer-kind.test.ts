import { expect, test } from 'vitest'
import { answerKind } from './answer-kind.ts'

test.each([
  [
    'text',
    ['application/json', 'Application/JSON; charset=utf-8', 'text/plain', 'application/x-ndjson'],
  ],
  [
    'bytes',
    [
      'image/png',
      'image/webp',
      'video/mp4',
      'application/zip',
      'application/octet-stream',
      undefined,
    ],
  ],
  ['svg', ['image/svg+xml', 'IMAGE/SVG+XML; charset=utf-8']],
  ['page', ['text/html', 'text/html; charset=utf-8', 'application/xhtml+xml', ' TEXT/HTML ']],
  [
    'unsupported',
    ['text/javascript', 'application/javascript', 'text/css', 'text/xml', 'image/svg+xml+x'],
  ],
  [
    'unsupported',
    [
      'application/xml',
      'application/pdf',
      'application/wasm',
      'multipart/mixed',
      'x',
      'text/event-stream',
    ],
  ],
  ['unsupported', ['text/html,application/json', 'image/png,text/html', 'application/json\u00a0']],
])('classifies %s: %j', (kind, types) => {
  for (const type of types) expect(answerKind(type), type).toBe(kind)
})

test('classifies a type with a million spaces at once', () => {
  expect(answerKind(`x${' '.repeat(1_000_000)}x`)).toBe('unsupported')
})
