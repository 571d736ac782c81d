import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#client/index.ts'
import { seededRandom } from '#demo/seeded-random.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { roundsOf } from '#testing/rounds.ts'
import { ServerProcess, type ServerProcessOptions } from '#testing/server/server-process.ts'
import { differences, LibraryMirror, readLibrary } from './library-mirror.ts'
import { anyChange, type Change, RandomWriter } from './random-writer.ts'
import { UnsteadyLine } from './unsteady-line.ts'

const RUNS = roundsOf({ usual: 1, all: 8 })
const WRITERS = 3
const FOLLOWERS = 2

/** Shrinking stops after this time and reports the shortest failing schedule found so far. */
const TIME_LIMIT_MS = 90_000

const anyPart = fc.record({
  work: fc.array(fc.array(anyChange, { minLength: 6, maxLength: 16, size: 'max' }), {
    minLength: WRITERS,
    maxLength: WRITERS,
  }),
  killsAfterMs: fc.nat({ max: 300 }),
})

/** Between two parts, the server is killed and started again. */
const anySchedule = fc.record({
  seed: fc.nat(),
  parts: fc.array(anyPart, { minLength: 2, maxLength: 2 }),
})

/** Tests the mirrors of clients that watch changes, on a server with these options. */
export function testConvergence(optionsOf: () => Promise<ServerProcessOptions>): void {
  let server: ServerProcess
  beforeAll(async () => {
    server = await ServerProcess.start(await optionsOf())
  })
  afterAll(() => server.close())

  test('mirrors equal a fresh read after losses on their lines and kills of the server', async () => {
    const client = connect({ baseUrl: server.url })
    const file = await drawFile('cat.png', { widthPx: 32, heightPx: 24 })

    const run = fc.asyncProperty(anySchedule, async ({ seed, parts }) => {
      const start = await startOf()
      const followers = Array.from({ length: FOLLOWERS }, (_, at) => followAt(start, seed + at))

      for (const [at, { work, killsAfterMs }] of parts.entries()) {
        for (const { line } of followers) line.isBad = true
        await new RandomWriter(client, file).make({ do: 'fill', board: at })
        const writing = Promise.all(work.map((changes) => write(changes, file)))
        if (at > 0) {
          await Promise.race([writing, delay(killsAfterMs)])
          await server.kill()
          await server.startAgain()
        }
        await writing
        for (const { line } of followers) line.isBad = false
        // If the last event is lost, the next one makes up for it.
        await client.boards.createBoard('The last change')
        await expectEqual(followers)
      }

      const late = followAt(start, null)
      await expectEqual([late])
      for (const { mirror } of [...followers, late]) mirror.end()
    })

    await fc.assert(run, { numRuns: RUNS, interruptAfterTimeLimit: TIME_LIMIT_MS })
  }, 300_000)

  const expectEqual = async (followers: readonly { mirror: LibraryMirror }[]) => {
    const expected = await readLibrary(connect({ baseUrl: server.url }))
    const faultsOf = ({ mirror }: { mirror: LibraryMirror }) =>
      differences(mirror.records, expected)
    const equal = () => expect.poll(() => followers.flatMap(faultsOf)).toEqual([])
    await Promise.race([equal(), ...followers.map(({ mirror }) => mirror.following)])
  }

  const startOf = async () => {
    const client = connect({ baseUrl: server.url })
    const { new_state: since } = await client.changes.list()
    return { since, records: await readLibrary(client) }
  }

  /** @param seed - null: a line without losses. */
  const followAt = (start: Awaited<ReturnType<typeof startOf>>, seed: number | null) => {
    const line = new UnsteadyLine(seededRandom(seed ?? 0))
    line.isBad = seed !== null
    const { fetch, WebSocket } = line
    const events = { WebSocket, random: () => 0 }
    const client = connect({ baseUrl: server.url, fetch, events })
    return { line, mirror: new LibraryMirror(client, start) }
  }

  const write = async (changes: readonly Change[], file: Blob) => {
    const writer = new RandomWriter(connect({ baseUrl: server.url }), file)
    for (const change of changes) await writer.make(change)
  }
}
