import { createWriteStream } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

/**
 * The least that keeps an upload: the request's body, streamed into a file. No form is read, nothing is
 * flushed, nothing decoded. Run with the folder as its argument; prints its address.
 */
const [folder = '.'] = process.argv.slice(2)
let count = 0

const server = createServer(async (request, response) => {
  await pipeline(request, createWriteStream(join(folder, String(count++))))
  response.writeHead(201).end()
})
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
