import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A minimal upstream: it reports a version and answers all other requests with the same thumbnail. Prints its
 * URL.
 */
const thumbnail = Buffer.alloc(20_000, 1)

const server = createServer((request, response) => {
  if (request.url === '/api/v1/app/version') {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"version":"6.14.0"}')
    return
  }
  response.writeHead(200, { 'content-type': 'image/webp', 'content-length': thumbnail.length })
  response.end(thumbnail)
})
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
