import { afterEach, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { createServer } from '#server/app.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { type Api, openApi } from './open-api.ts'

let api: Api
afterEach(() => {
  vi.restoreAllMocks()
  return api.close()
})

const read = async (headers: Record<string, string> = {}): Promise<string> =>
  (await api.send('GET', '/metrics', { headers })).body as string

const linesOf = (text: string, name: string): string[] =>
  text.split('\n').filter((line) => line.startsWith(name))

test('counts requests by route pattern, method and status class', async () => {
  api = await openApi()
  await read()
  const { image_name } = await api.makeImage('cat.png')
  await api.send('GET', `/api/v1/images/i/${image_name}/full`)
  await api.send('GET', '/api/v1/boards/no-such-board')
  await api.send('GET', '/api/v1/no/such/path?with=a+search')

  const text = await read()

  expect(linesOf(text, 'tessera_http_requests_total')).toEqual(
    expect.arrayContaining([
      'tessera_http_requests_total{method="POST",route="/api/v1/images/upload",status="2xx"} 1',
      'tessera_http_requests_total{method="GET",route="/api/v1/images/i/:image_name/full",status="2xx"} 1',
      'tessera_http_requests_total{method="GET",route="/api/v1/boards/:board_id",status="4xx"} 1',
      'tessera_http_requests_total{method="GET",route="unknown",status="4xx"} 1',
    ]),
  )
  expect(text).not.toContain(image_name)
  expect(text).toMatch(/request_duration_seconds_count\{method="POST",route="[^"]+upload"\} 1/)
})

test('reports uploads, sockets, the queue, the event loop and the process', async () => {
  api = await openApi()
  const { file_size } = await api.makeImage('cat.png')
  const socket = new WebSocket(`${api.url.replace('http', 'ws')}/ws`)
  await new Promise((opened) => socket.once('open', opened))

  const text = await read()

  for (const line of [
    'tessera_uploads_total 1',
    `tessera_upload_bytes_total ${file_size}`,
    'tessera_event_sockets{kind="raw"} 1',
    'tessera_queue_items_running 0',
    'tessera_http_requests_in_flight 1',
  ]) {
    expect(text.split('\n')).toContain(line)
  }
  expect(text).toContain('tessera_event_loop_lag_seconds{quantile="0.99"}')
  expect(text).toContain('process_resident_memory_bytes')
  socket.close()
})

test('calls no private function of Node, because one can abort the process', async () => {
  const handles = vi.spyOn(process as never, '_getActiveHandles')
  const requests = vi.spyOn(process as never, '_getActiveRequests')
  api = await openApi()

  const text = await read()

  expect(text).toContain('nodejs_active_resources')
  expect(handles).not.toHaveBeenCalled()
  expect(requests).not.toHaveBeenCalled()
})

test('needs the token as a bearer, and counts in no limit', async () => {
  const rateLimit = { requestsPerMinute: 1, batchRequestsPerMinute: 1 }
  api = await openApi({ token: 'a-token-of-a-person', rateLimit })
  const authorization = 'Bearer a-token-of-a-person'

  const refused = await api.send('GET', '/metrics')
  const texts = [await read({ authorization }), await read({ authorization })]

  expect(refused.status).toBe(401)
  expect(refused.headers.get('content-type')).toContain('json')
  for (const text of texts) expect(text).toContain('tessera_uploads_total 0')
})

test('counts refused requests too', async () => {
  api = await openApi({ token: 'a-token-of-a-person' })
  const authorization = 'Bearer a-token-of-a-person'
  await read({ authorization })
  await api.send('GET', '/api/v1/boards/')

  expect(await read({ authorization })).toContain(
    'tessera_http_requests_total{method="GET",route="/api/v1/boards/",status="4xx"} 1',
  )
})

test('servers of one process have separate numbers @long', async () => {
  api = await openApi()
  await api.makeImage('cat.png')
  const dataFolder = await createTemporaryFolder()
  const other = await createServer({ dataFolder })

  const { body } = await other.app.inject('/metrics')

  await other.close()
  await removeFolder(dataFolder)
  expect(body).toContain('tessera_uploads_total 0')
  expect(await read()).toContain('tessera_uploads_total 1')
})
