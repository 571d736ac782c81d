import { openRedis } from '#server/redis/open-redis.ts'

/**
 * A process that holds one raw socket for each named client: `redis-child.ts URL LIBRARY CLIENT…`. Prints `ready`, and
 * the name of each client whose socket is replaced.
 */
const [url = '', library = '', ...clients] = process.argv.slice(2)

const fail = (error: unknown) => {
  throw error
}
const { sockets } = await openRedis({
  url,
  library,
  clock: Date.now,
  onWarning: () => {},
  onFailure: fail,
})
for (const clientId of clients) {
  await sockets.take('raw', { address: '192.0.2.1', clientId }, () => {
    process.stdout.write(`${clientId}\n`)
  })
}
process.stdout.write('ready\n')
setInterval(() => {}, 60_000) // stays until it is killed
