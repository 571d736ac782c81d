import { createReadStream, createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import pLimit from 'p-limit'
import { setUpSharp } from '#server/processes/open-with-sharp.ts'
import { withBareSharp } from './with-bare-sharp.ts'

/**
 * A minimal upload server, as a baseline. `/stream` writes the body to a file. `/keep` also flushes the file
 * and makes its thumbnail, as Tessera's server does before it answers. `/flush` writes and flushes the body. `/file?PATH`
 * answers a range of a file. `/small` answers immediately. Takes the folder as its argument and prints its URL.
 */
const [folder = '.'] = process.argv.slice(2)
let count = 0
const decoders = pLimit(availableParallelism() + 1)
setUpSharp()

/** Writes the only file of a form without parsing the form. */
const keep = async (request: IncomingMessage, path: string): Promise<void> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const form = Buffer.concat(chunks)
  const file = await open(path, 'w')
  await file.writeFile(form.subarray(form.indexOf('\r\n\r\n') + 4, form.lastIndexOf('\r\n--')))
  await file.sync()
  await file.close()
  await decoders(() => withBareSharp(path))
}

/** Answers one range, which the header must name. */
const sendRange = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const path = decodeURIComponent(request.url?.split('?')[1] ?? '')
  const [start = 0, end = 0] = (request.headers.range ?? '')
    .slice('bytes='.length)
    .split('-')
    .map(Number)
  response.writeHead(206, { 'content-length': end - start + 1 })
  await pipeline(createReadStream(path, { start, end }), response)
}

const server = createServer(async (request, response) => {
  if (request.url?.startsWith('/file?')) {
    await sendRange(request, response)
    return
  }
  const path = join(folder, String(count++))
  if (request.url === '/small') {
    response.end('[]')
    return
  }
  const flush = request.url === '/flush'
  if (request.url === '/keep') await keep(request, path)
  else await pipeline(request, createWriteStream(path, { flush }))
  response.writeHead(201).end()
})
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
