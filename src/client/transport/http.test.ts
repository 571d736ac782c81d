import { describe, expect, it, test } from 'vitest'
import { ConnectionError } from '#client/errors.ts'
import {
  deleteBoard,
  getBoard,
  listBoardImageNames,
  listBoards,
} from '#contract/board-operations.ts'
import { getFullImage, listImagesByNames } from '#contract/image-operations.ts'
import { fillDemoLibrary, getCapabilities } from '#contract/server/app-operations.ts'
import { collect } from '#testing/collect.ts'
import { FakeFetch, htmlPage, json, type Routes, refusal } from '#testing/fake-fetch.ts'
import { type Fetch, Http } from './http.ts'

const httpTo = (routes: Routes, token?: string) => {
  const server = new FakeFetch(routes)
  return { server, http: new Http({ baseUrl: 'http://gallery.test', fetch: server.fetch, token }) }
}

const board = { params: { board_id: 'b1' } }

describe('call', () => {
  it('repeats the key of an array and omits undefined values', async () => {
    const { http, server } = httpTo({ 'GET /api/v1/boards/b1/image_names': () => [] })

    await http.call(listBoardImageNames, {
      ...board,
      query: { categories: ['user', 'mask'], is_intermediate: false, offset: undefined },
    })

    expect(server.lines).toEqual([
      'GET /api/v1/boards/b1/image_names?categories=user&categories=mask&is_intermediate=false',
    ])
  })

  it('sends a bearer token', async () => {
    const { http, server } = httpTo({ 'GET /api/v1/boards/b1': () => ({}) }, 'secret')

    await http.call(getBoard, board)

    expect(server.requests[0]?.headers.get('authorization')).toBe('Bearer secret')
  })

  it('sends its origin with requests that can change something', async () => {
    const server = new FakeFetch({
      'GET /api/v1/boards/b1': () => ({}),
      'DELETE /api/v1/boards/b1': () => ({}),
    })
    const http = new Http({ baseUrl: 'http://gallery.test', fetch: server.fetch, origin: 'tab-1' })

    await http.call(getBoard, board)
    await http.call(deleteBoard, board)

    const origins = server.requests.map(({ headers }) => headers.get('tessera-origin'))
    expect(origins).toEqual([null, 'tab-1'])
  })

  test.each(['', 'two words', 'Zürich', 'line\n', 'a'.repeat(101)])(
    'refuses the origin %j',
    (origin) => {
      expect(() => new Http({ baseUrl: '', origin })).toThrow(RangeError)
    },
  )

  test.each(['http://gallery.test/invoke', 'http://gallery.test/invoke/'])(
    'keeps the path of the base URL %s',
    async (baseUrl) => {
      const server = new FakeFetch({ 'GET /invoke/api/v1/boards/': () => [] })

      await new Http({ baseUrl, fetch: server.fetch }).call(listBoards, { query: { all: true } })

      expect(server.lines).toEqual(['GET /invoke/api/v1/boards/?all=true'])
    },
  )

  it('reads the refusal code from the header', async () => {
    const { http } = httpTo({
      'GET /api/v1/boards/b1': () =>
        json({ detail: 'The disk is full' }, 507, { 'x-refusal-code': 'disk_full' }),
    })

    await expect(http.call(getBoard, board)).rejects.toMatchObject({
      name: 'RefusedError',
      code: 'disk_full',
      status: 507,
      detail: 'The disk is full',
      url: 'http://gallery.test/api/v1/boards/b1',
    })
  })

  test.each([
    [404, 'Board not found', 'board_not_found'],
    [422, [{ loc: ['query', 'all'], msg: 'Field required' }], 'invalid_request'],
    [401, 'Authentication required', 'login_required'],
    [403, 'Not authorized to modify this board', 'forbidden'],
    [500, { message: 'half done', board_deleted: false }, 'unexpected'],
  ])('derives the refusal code from status %i and the message', async (status, detail, code) => {
    const { http } = httpTo({ 'GET /api/v1/boards/b1': () => refusal(status, detail) })

    await expect(http.call(getBoard, board)).rejects.toMatchObject({ code, status })
  })

  it('includes the location of a validation error', async () => {
    const { http } = httpTo({
      'GET /api/v1/boards/b1': () =>
        refusal(422, [{ loc: ['query', 'all'], msg: 'Field required' }]),
    })

    await expect(http.call(getBoard, board)).rejects.toMatchObject({
      detail: 'query.all: Field required',
    })
  })

  test.each([
    [500, 'Internal Server Error', 'unexpected', 'Internal Server Error'],
    [
      502,
      '<html>502 Bad Gateway</html>',
      'unexpected',
      /^A server in front .* not reach it \(502\)/,
    ],
    [502, 'Bad Gateway', 'unexpected', /^A server in front .* not reach it \(502\)/],
    [502, '', 'unexpected', /^A server in front .* not reach it \(502\)/],
    [418, '<p>tea</p>', 'unexpected', /^A server in front of Tessera refused the request \(418\)/],
    [599, '', 'unexpected', /^A server in front of Tessera failed \(599\)/],
    [413, '<html>413 Too Large</html>', 'proxy_too_large', /client_max_body_size/],
  ])('reads a refusal of status %i that is not JSON: %j', async (status, text, code, detail) => {
    const { http } = httpTo({ 'GET /api/v1/boards/b1': () => new Response(text, { status }) })

    await expect(http.call(getBoard, board)).rejects.toMatchObject({
      code,
      detail: expect.stringMatching(detail),
    })
  })

  it('treats an HTML page with status 200 as an unknown path', async () => {
    const { http } = httpTo({
      'GET /api/v1/app/capabilities': htmlPage,
      'GET /api/v1/images/i/cat.png/full': htmlPage,
    })

    await expect(http.call(getCapabilities)).rejects.toMatchObject({
      code: 'not_found',
      status: 404,
    })
    const bytes = http.bytes(getFullImage, { params: { image_name: 'cat.png' } })
    await expect(bytes).rejects.toMatchObject({ code: 'image_not_found', status: 404 })
  })

  it('throws ConnectionError for an incomplete response', async () => {
    const { http } = httpTo({
      'GET /api/v1/boards/b1': () =>
        new Response('{"board_id":', { headers: { 'content-type': 'application/json' } }),
    })

    await expect(http.call(getBoard, board)).rejects.toBeInstanceOf(ConnectionError)
  })

  it('rejects with the abort reason', async () => {
    const { http } = httpTo({ 'GET /api/v1/boards/b1': () => ({}) })

    const call = http.call(getBoard, { ...board, signal: AbortSignal.abort('enough') })

    await expect(call).rejects.toBe('enough')
  })
})

describe('time limits and retries', () => {
  /** Never answers. */
  const hang: Fetch = (_, { signal }) =>
    new Promise((_resolve, reject) => {
      if (signal?.aborted) reject(signal.reason)
      signal?.addEventListener('abort', () => reject(signal.reason))
    })
  const busyThen = (answer: unknown, times: number) => {
    let left = times
    return () => (left-- > 0 ? json({ detail: 'busy' }, 503, { 'retry-after': '0' }) : answer)
  }

  test.each([
    ['the time limit of the client', { timeoutMs: 5 }, {}],
    ['the time limit of the call', { timeoutMs: 60_000 }, { timeoutMs: 5 }],
  ])('fails a call after %s', async (_, options, callOptions) => {
    const http = new Http({ baseUrl: 'http://gallery.test', fetch: hang, ...options })

    const call = http.call(getBoard, { ...board, ...callOptions })

    await expect(call).rejects.toMatchObject({
      name: 'ConnectionError',
      cause: { name: 'TimeoutError' },
    })
  })

  test('aborts calls when the client is closed, and refuses later ones', async () => {
    const http = new Http({ baseUrl: 'http://gallery.test', fetch: hang })
    const call = http.call(getBoard, board)

    http.close()

    await expect(call).rejects.toThrow('The client is closed')
    await expect(http.call(getBoard, board)).rejects.toThrow('The client is closed')
  })

  test('repeats requests that read, as often as the option says', async () => {
    const routes = {
      'GET /api/v1/boards/b1': busyThen({ board_id: 'b1' }, 2),
      'POST /api/v1/images/images_by_names': busyThen([], 1),
    }
    const { fetch, requests } = new FakeFetch(routes)
    const http = new Http({ baseUrl: 'http://gallery.test', fetch, retries: 2 })

    expect(await http.call(getBoard, board)).toEqual({ board_id: 'b1' })
    expect(await http.call(listImagesByNames, { body: { image_names: [] } })).toEqual([])
    expect(requests).toHaveLength(5)
  })

  test('sends other requests, and all requests without the option, once', async () => {
    const busy = busyThen({}, 10)
    const server = new FakeFetch({
      'GET /api/v1/boards/b1': busy,
      'DELETE /api/v1/boards/b1': busy,
    })
    const options = { baseUrl: 'http://gallery.test', fetch: server.fetch }

    const read = new Http(options).call(getBoard, board)
    await expect(read).rejects.toMatchObject({ status: 503 })
    const deletion = new Http({ ...options, retries: 2 }).call(deleteBoard, board)
    await expect(deletion).rejects.toMatchObject({ status: 503 })

    expect(server.requests).toHaveLength(2)
  })
})

describe('lines', () => {
  const streaming = (...chunks: string[]) => {
    const encoder = new TextEncoder()
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const chunk of chunks) controller.enqueue(encoder.encode(chunk))
      },
      pull: (controller) => controller.close(),
    })
    return new Response(body, { headers: { 'content-type': 'application/x-ndjson' } })
  }
  const linesOf = async (...chunks: string[]) => {
    const { http } = httpTo({ 'POST /api/v1/app/demo_library': () => streaming(...chunks) })
    return collect(http.lines(fillDemoLibrary))
  }

  test.each([
    ['one line per chunk', ['{"done":1,"total":2}\n', '{"done":2,"total":2}\n']],
    ['both in one chunk', ['{"done":1,"total":2}\n{"done":2,"total":2}\n']],
    ['split within lines', ['{"done":1,"to', 'tal":2}\n{"done":2,', '"total":2}']],
  ])('yields complete lines: %s', async (_, chunks) => {
    expect(await linesOf(...chunks)).toEqual([
      { done: 1, total: 2 },
      { done: 2, total: 2 },
    ])
  })

  it('throws ConnectionError for an incomplete line after the lines before it', async () => {
    const { http } = httpTo({
      'POST /api/v1/app/demo_library': () => streaming('{"done":1,"total":2}\n{"done"'),
    })
    const lines = http.lines(fillDemoLibrary)

    expect((await lines.next()).value).toEqual({ done: 1, total: 2 })
    await expect(lines.next()).rejects.toBeInstanceOf(ConnectionError)
  })

  it('cancels the response if the caller leaves the loop', async () => {
    let isHungUp = false
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{"done":1,"total":2}\n')),
      cancel: () => {
        isHungUp = true
      },
    })
    const headers = { 'content-type': 'application/x-ndjson' }
    const { http } = httpTo({
      'POST /api/v1/app/demo_library': () => new Response(body, { headers }),
    })

    for await (const _ of http.lines(fillDemoLibrary)) break

    expect(isHungUp).toBe(true)
  })
})
