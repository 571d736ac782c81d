import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { createInterface } from 'node:readline'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { drawFile } from '#testing/library/draw-file.ts'
import { entryFile, serverEnvironment } from '#testing/server/server-environment.ts'
import { ServerProcess } from '#testing/server/server-process.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'

const mainFile = entryFile(new URL('../server/main.ts', import.meta.url))

let server: ServerProcess | undefined
afterEach(async () => {
  await server?.kill()
  await server?.close()
  server = undefined
})

const answerTo = async (sent: ReturnType<typeof request>): Promise<IncomingMessage> => {
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  answer.resume()
  return answer
}

/** Sends the first half of an upload. */
const beginUpload = async (url: string) => {
  const form = new FormData()
  form.append('file', await drawFile('cat.png'))
  const whole = new Response(form)
  const type = whole.headers.get('content-type') ?? ''
  const body = Buffer.from(await whole.arrayBuffer())
  const path = '/api/v1/images/upload?image_category=user&is_intermediate=false'
  const headers = { 'content-type': type, 'content-length': body.length }
  const sent = request(`${url}${path}`, { method: 'POST', headers })
  const half = body.length / 2
  await new Promise((written) => sent.write(body.subarray(0, half), written))
  return { sent, finish: () => sent.end(body.subarray(half)) }
}

const isReady = async (url: string): Promise<unknown> =>
  (await fetch(`${url}/api/v1/ready`)).json().then(({ status }) => status)

test('finishes an upload that was running at SIGTERM, and closes its connection', async () => {
  server = await ServerProcess.start()
  const { sent, finish } = await beginUpload(server.url)
  await expect.poll(() => inFlight(server?.url ?? '')).toBe(2) // and the request for metrics

  const stopped = server.stop()
  finish()

  const { statusCode, headers } = await answerTo(sent)
  expect(statusCode).toBe(201)
  expect(headers.connection).toBe('close')
  await stopped
})

const inFlight = async (url: string): Promise<number> => {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^tessera_http_requests_in_flight (\d+)$/m.exec(text)?.[1])
}

test('answers requests after SIGTERM while readiness says that it stops', async () => {
  server = await ServerProcess.start({ flags: ['--drain', '600'] })
  const { url, pid = 0 } = server
  expect(await isReady(url)).toBe('ready')

  process.kill(pid, 'SIGTERM')

  await expect.poll(() => isReady(url)).toBe('stopping')
  const answer = await fetch(`${url}/api/v1/boards/?all=true`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('connection')).toBe('close')
})

const startWithJson = (dataFolder: string): ChildProcess => {
  const flags = [
    '--data',
    dataFolder,
    '--port',
    '0',
    '--log-format',
    'json',
    '--log-level',
    'debug',
  ]
  const proxy = ['--trust-proxy', '127.0.0.1', '--token', 'a-token-of-a-person']
  return spawn(process.execPath, [mainFile, ...flags, ...proxy], {
    env: serverEnvironment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

test('logs only JSON lines, each with the ID of its request and without the token', async () => {
  const dataFolder = await createTemporaryFolder()
  const child = startWithJson(dataFolder)
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines: string[] = []
  const { stdout } = child
  if (stdout === null) throw new Error('The server has no output.')
  createInterface({ input: stdout }).on('line', (line) => lines.push(line))
  const url = () => /listens at (http:[^"]+)/.exec(lines.join('\n'))?.[1] ?? ''
  await expect.poll(url).not.toBe('')

  await fetch(`${url()}/api/v1/app/version`, { headers: { 'x-request-id': 'from-the-proxy' } })

  const parsed = () => lines.map((line) => JSON.parse(line))
  await expect.poll(parsed).toContainEqual(
    expect.objectContaining({
      requestId: 'from-the-proxy',
      route: '/api/v1/app/version',
      status: 401,
    }),
  )
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  await exit
  expect(parsed().at(-1)).toMatchObject({ msg: 'stopping' })
  expect(lines.join('\n')).not.toContain('a-token-of-a-person')
  await removeFolder(dataFolder)
})
