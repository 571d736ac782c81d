import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import pLimit from 'p-limit'
import { type Figure, median, reportFigures } from './figures.ts'

/** The number of connections that a browser opens to one host. */
const CONNECTIONS = 6

export interface UpstreamBenchOptions {
  /** Thumbnails per round. */
  thumbnails?: number
  rounds?: number
}

/** Starts a program of this project. @returns The process and the first URL that it prints. */
async function start(path: string, args: readonly string[]): Promise<[ChildProcess, string]> {
  const file = fileURLToPath(new URL(path, import.meta.url))
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const printed = Promise.withResolvers<string>()
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? []
    if (address !== undefined) printed.resolve(address)
  })
  child.once('exit', () => printed.reject(new Error(`${path} has not started.`)))
  return [child, await printed.promise]
}

async function perSecond(url: string, count: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const get = async (number: number) => {
    const asked = request(`${url}/api/v1/images/i/${number}.png/thumbnail`, { agent }).end()
    const [answer] = await once(asked, 'response')
    answer.resume()
    await once(answer, 'end')
  }
  const began = performance.now()
  await pLimit(CONNECTIONS).map(Array(count).keys(), get)
  agent.destroy()
  return (count * 1000) / (performance.now() - began)
}

/** Measures thumbnails per second, alternating a server that does nothing else with the gallery in front of it. */
export const bench = async ({
  thumbnails = 2000,
  rounds = 5,
}: UpstreamBenchOptions = {}): Promise<Figure[]> => {
  const [bare, upstream] = await start('./bare/bare-thumbnail-server.ts', [])
  const flags = ['--upstream', upstream, '--port', '0', '--log-level', 'warn']
  const [gallery, url] = await start('../server/main.ts', flags)
  try {
    const rates = { direct: [] as number[], through: [] as number[] }
    for (let round = 0; round < rounds; round++) {
      rates.direct.push(await perSecond(upstream, thumbnails))
      rates.through.push(await perSecond(url, thumbnails))
    }
    const baseline = { name: 'direct', value: median(rates.direct) }
    return [
      { name: 'thumbnails of 20 KB, direct', value: baseline.value, unit: 'images/s' },
      {
        name: 'thumbnails of 20 KB, in front of an upstream',
        value: median(rates.through),
        unit: 'images/s',
        baseline,
      },
    ]
  } finally {
    gallery.kill()
    bare.kill()
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { thumbnails: { type: 'string' }, rounds: { type: 'string' } },
    strict: false,
  })
  const thumbnails = Number(values.thumbnails ?? 2000)
  reportFigures('upstream', await bench({ thumbnails, rounds: Number(values.rounds ?? 5) }))
}
