import { expect, test } from 'vitest'
import { ConnectionError, RefusedError } from '#client/index.ts'
import { reasonOf } from './reason-of.ts'

const url = 'http://127.0.0.1:9091/api/v1/images/'

test.each([
  [new ConnectionError(url), 'The server does not answer. Is it running?'],
  [
    new RefusedError({ code: 'board_not_found', status: 404, url, detail: 'Board not found' }),
    'Board not found',
  ],
  [
    new RefusedError({ code: 'unexpected', status: 502, url, detail: '<html>' }),
    'The server failed (502).',
  ],
  [
    new RefusedError({ code: 'unexpected', status: 400, url, detail: 'Batch has no graph' }),
    'The server refused the request: Batch has no graph',
  ],
  [
    new RefusedError({
      code: 'unexpected',
      status: 502,
      url,
      detail: 'A proxy does not reach it.',
    }),
    'A proxy does not reach it.',
  ],
  [new Error('out of paper'), 'out of paper'],
])('describes %s without an address', (error, message) => {
  expect(reasonOf(error)).toBe(message)
})
