import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import pLimit from 'p-limit'
import { pathOf } from '#contract/operation.ts'
import { uploadImage } from '#contract/upload-operations.ts'
import { drawPicture } from '#demo/draw-picture.ts'
import { ServerProcess } from '#testing/server-process.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { type Figure, reportFigures } from './figures.ts'

const MB = 1e6
const BOUNDARY = 'tessera-bench'
const CONNECTIONS = 16

export interface UploadsBenchOptions {
  /** Small uploads over sixteen connections. */
  uploads?: number
}

/** A form with one file, ready to be sent. */
const formOf = (bytes: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from(
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n`,
    ),
    bytes,
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ])

const send = async (agent: Agent, url: string, form: Buffer): Promise<void> => {
  const sending = request(url, {
    method: 'POST',
    agent,
    headers: {
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': form.length,
    },
  })
  sending.end(form)
  const [response] = await once(sending, 'response')
  response.resume()
  await once(response, 'end')
  if (response.statusCode !== 201) throw new Error(`${url} answered ${response.statusCode}`)
}

/** Sends each form, so many at once. @returns MB a second. */
const sendAll = async (url: string, forms: readonly Buffer[], atOnce: number): Promise<number> => {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
  const began = performance.now()
  await pLimit(atOnce).map(forms, (form) => send(agent, url, form))
  const seconds = (performance.now() - began) / 1000
  agent.destroy()
  return forms.reduce((sum, form) => sum + form.length, 0) / MB / seconds
}

/** The most memory that a process ever had, in MB. null where the system does not say. */
const peakMemory = async (pid: number | undefined): Promise<number | null> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(status) ?? []
  return kilobytes === undefined ? null : (Number(kilobytes) * 1024) / MB
}

const startBareServer = async (folder: string) => {
  const file = fileURLToPath(new URL('./bare-upload-server.ts', import.meta.url))
  const child = spawn(process.execPath, [file, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout, 'data')
  return { url: String(line).trim(), stop: () => child.kill() }
}

const uploadTo = ({ url }: { url: string }) =>
  `${url}${pathOf(uploadImage)}?image_category=user&is_intermediate=false`

/** A small picture with 100 MB behind its end, which no decoder reads: what is measured is the way to the disk. */
const drawLarge = async (): Promise<Buffer> => {
  const { bytes } = await drawPicture({ seed: 1, kind: 'invokeai', widthPx: 64, heightPx: 64 })
  return Buffer.concat([bytes, Buffer.alloc(100 * MB)])
}

/** Uploads through the real server in a process of its own, beside a server that only streams to a file. */
export const bench = async ({ uploads = 2000 }: UploadsBenchOptions = {}): Promise<Figure[]> => {
  const folder = await createTemporaryFolder()
  const bare = await startBareServer(folder)
  try {
    return [...(await largeFiles(bare.url)), ...(await manyFiles(bare.url, uploads))]
  } finally {
    bare.stop()
    await removeFolder(folder)
  }
}

const largeFiles = async (bareUrl: string): Promise<Figure[]> => {
  const server = await ServerProcess.start()
  const form = formOf(await drawLarge())
  const ten = Array<Buffer>(10).fill(form)
  const bareRate = await sendAll(bareUrl, ten, 10)
  const rate = await sendAll(uploadTo(server), ten, 10)
  const memory = await peakMemory(server.pid)
  await server.close()
  return [
    {
      name: 'ten files of 100 MB at once',
      value: rate,
      unit: 'MB/s',
      baseline: { name: 'bare stream to file', value: bareRate },
    },
    ...(memory === null
      ? []
      : [{ name: 'memory, ten files of 100 MB', value: memory, unit: 'MB' as const }]),
  ]
}

const manyFiles = async (bareUrl: string, uploads: number): Promise<Figure[]> => {
  const server = await ServerProcess.start()
  const pictures = await Promise.all(
    Array.from({ length: 20 }, (_, seed) =>
      drawPicture({ seed, kind: 'invokeai', widthPx: 512, heightPx: 512 }),
    ),
  )
  const forms = Array.from({ length: uploads }, (_, index) =>
    formOf(pictures[index % pictures.length]?.bytes ?? Buffer.alloc(0)),
  )
  const name = `${uploads} PNGs of 512 px, ${CONNECTIONS} connections`
  const bareRate = await sendAll(bareUrl, forms, CONNECTIONS)
  const began = performance.now()
  const rate = await sendAll(uploadTo(server), forms, CONNECTIONS)
  const perSecond = (uploads * 1000) / (performance.now() - began)
  const memory = await peakMemory(server.pid)
  await server.close()
  return [
    {
      name,
      value: rate,
      unit: 'MB/s',
      baseline: { name: 'bare stream to file', value: bareRate },
    },
    { name, value: perSecond, unit: 'images/s' },
    ...(memory === null
      ? []
      : [{ name: `memory, ${name}`, value: memory, unit: 'MB' as const, mark: 'under 400 MB' }]),
  ]
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { uploads: { type: 'string' } }, strict: false })
  reportFigures('uploads', await bench({ uploads: Number(values.uploads ?? 2000) }))
}
