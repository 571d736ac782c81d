import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { drawFile } from '#testing/library/draw-file.ts'
import { emptyLibrary } from '#testing/library/library-maker.ts'
import { roundsOf } from '#testing/rounds.ts'
import { type RunningServer, startServer } from '#testing/server/start-server.ts'
import { expectConsistentLibrary } from './library-consistency.ts'
import { anyStep, LibraryModel } from './library-model.ts'

// A few long runs find more than many short ones: a rule about a restored board needs images that were moved,
// trashed or kept before.
const RUNS = roundsOf({ usual: 3, all: 10 })
const STEPS = { minLength: 20, maxLength: 150, size: 'max' } as const
const STEPS_BETWEEN_LOOKS = 15

/** Shrinking stops after this time and reports the shortest failing sequence found so far. */
const TIME_LIMIT_MS = 60_000

test('keeps counts, lists and files consistent after any sequence of changes', async () => {
  const file = await drawFile('cat.png', { widthPx: 32, heightPx: 24 })

  const server = await startServer()
  onTestFinished(() => server.close())

  const run = fc.asyncProperty(fc.array(anyStep, STEPS), async (steps) => {
    expect(await emptyLibrary(server.client)).toBe(true)
    const model = new LibraryModel(server.client, file)
    for (const [index, step] of steps.entries()) {
      await model.take(step)
      if (index % STEPS_BETWEEN_LOOKS === 0) await expectToBe(model, server)
    }
    await expectToBe(model, server)
  })

  await fc.assert(run, { numRuns: RUNS, interruptAfterTimeLimit: TIME_LIMIT_MS })
}, 300_000)

async function expectToBe(model: LibraryModel, { client, dataFolder }: RunningServer) {
  expect(await expectConsistentLibrary(client, dataFolder)).toEqual(model.places())
  const { image_names, starred_count } = await client.images.names({ starredFirst: true })
  expect(image_names.slice(0, starred_count).sort()).toEqual(model.starred())
}
