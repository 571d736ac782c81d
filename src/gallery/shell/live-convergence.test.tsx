import { isDeepStrictEqual } from 'node:util'
import { type Query, QueryClient } from '@tanstack/react-query'
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { seededRandom } from '#demo/seeded-random.ts'
import { GalleryInWindow } from '#integration/gallery-in-window.ts'
import { anyChange, type Change, RandomWriter } from '#integration/random-writer.ts'
import { UnsteadyLine } from '#integration/unsteady-line.ts'
import {
  createDatabase,
  findPostgresPrograms,
  startPostgresServer,
} from '#testing/engines/postgres-server.ts'
import { drawFile } from '#testing/library/draw-file.ts'

/** For each database. */
const RUNS = 2
const WRITERS = 3

/** Runs end after this time. */
const TIME_LIMIT_MS = 120_000

/** A change by the page itself, which it shows before the server confirms it. */
const anyOwnChange = fc.record({
  kind: fc.constantFrom('star', 'unstar', 'move', 'trash', 'restore'),
  image: fc.nat({ max: 1000 }),
})

const anyPart = fc.record({
  opened: fc.constantFrom('All images', 'Assets', 'Starred', 'Trash'),
  own: fc.array(anyOwnChange, { maxLength: 4 }),
  work: fc.array(fc.array(anyChange, { minLength: 3, maxLength: 8, size: 'max' }), {
    minLength: WRITERS,
    maxLength: WRITERS,
  }),
})

const anySchedule = fc.record({
  seed: fc.nat(),
  /** The server is restarted in the second part. */
  parts: fc.array(anyPart, { minLength: 2, maxLength: 2 }),
})

const startPostgres = async (): Promise<string> => {
  const programs = await findPostgresPrograms()
  if (programs === null) throw new Error('PostgreSQL is missing on this machine.')
  const postgres = await startPostgresServer(programs)
  onTestFinished(() => postgres.stop())
  return createDatabase(postgres.url)
}

test.each([
  ['SQLite', async () => null],
  ['PostgreSQL', startPostgres],
])(
  'the page holds what a fresh read returns after losses and a restart with %s @long',
  async (_, databaseOf) => {
    const file = await drawFile('cat.png', { widthPx: 32, heightPx: 24 })
    const gallery = await GalleryInWindow.start({ databaseUrl: await databaseOf() })
    const { api, server } = gallery
    gallery.watchesQueue = true
    await api.uploadImages(['a.png', 'b.png', 'c.png'])

    const run = fc.asyncProperty(anySchedule, async ({ seed, parts }) => {
      const line = new UnsteadyLine(seededRandom(seed))
      line.isBad = false
      gallery.fetch = line.fetch
      vi.stubGlobal('WebSocket', line.WebSocket)
      await gallery.open()
      for (const [at, { opened, own, work }] of parts.entries()) {
        await gallery.openBoard(opened)
        line.isBad = true
        const writing = Promise.all(work.map((changes) => write(changes)))
        for (const change of own) await changeHere(change)
        if (at > 0) await server.restart()
        await writing
        line.isBad = false
        // If the last event is lost, the next one makes up for it.
        await api.createBoard('The last change')
        await expect.poll(() => gallery.page.outbox.worker.entries()).toEqual([])
        await expect.poll(faults).toEqual([])
      }
    })

    const write = async (changes: readonly Change[]) => {
      const writer = new RandomWriter(api.client, file)
      for (const change of changes) await writer.make(change)
    }

    const changeHere = async ({ kind, image }: { kind: string; image: number }) => {
      const { outbox } = gallery.page
      const { client } = api
      const page = { offset: 0, limit: 1000 }
      const { items } =
        kind === 'restore' ? await client.trash.list(page) : await client.images.page({}, page)
      const names = items.map(({ image_name }) => image_name)
      const some = names.slice(image % (names.length + 1)).slice(0, 2)
      const boards = await client.boardOperations.list({})
      const board = boards[image % (boards.length + 1)]
      if (some.length === 0) return
      if (kind === 'trash') outbox.trash(some)
      else if (kind === 'restore') outbox.restore(some)
      else if (kind === 'move') outbox.move(some, board?.board_id ?? 'none')
      else outbox.star(some, kind === 'star')
    }

    const faults = async (): Promise<string[]> => {
      await gallery.settled()
      const queries = gallery.page.queryClient.getQueryCache().getAll()
      return (await Promise.all(queries.map(faultsIn))).flat()
    }

    await fc.assert(run, {
      numRuns: RUNS,
      // Each shorter schedule takes as long as the first one.
      endOnFailure: true,
      interruptAfterTimeLimit: TIME_LIMIT_MS,
    })
  },
  300_000,
)

/** Compares the data of a query with a fresh read. The page reads outdated hidden data again when it shows them. */
const faultsIn = async (query: Query): Promise<string[]> => {
  const { queryKey, queryHash, options } = query
  const isOfLibrary = ['images', 'boards', 'trash'].includes(String(queryKey[0]))
  const isShown = query.isActive() || !query.state.isInvalidated
  const { queryFn } = options
  if (!isOfLibrary || !isShown || typeof queryFn !== 'function') return []
  if (query.state.data === undefined) return []
  const { signal } = new AbortController()
  const fresh = withoutTimes(
    await queryFn({ queryKey, signal, client: new QueryClient() } as never),
  )
  const shown = withoutTimes(query.state.data)
  if (isDeepStrictEqual(shown, fresh)) return []
  const kind = `${query.isActive() ? 'active' : 'hidden'}${query.state.isInvalidated ? ', outdated' : ''}`
  return [`${queryHash} (${kind}): ${differencesOf(shown, fresh).join('; ')}`]
}

/** Own changes do not show when the server made them. */
const withoutTimes = (data: unknown): unknown =>
  JSON.parse(JSON.stringify(data), (key, value) => (key === 'updated_at' ? undefined : value))

/** Returns the paths at which two values differ, with both values. */
function differencesOf(one: unknown, other: unknown, path = ''): string[] {
  if (isDeepStrictEqual(one, other)) return []
  if (!isObject(one) || !isObject(other))
    return [`${path} is ${JSON.stringify(one)} instead of ${JSON.stringify(other)}`]
  const keys = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...keys].flatMap((key) => differencesOf(one[key], other[key], `${path}.${key}`))
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
