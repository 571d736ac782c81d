import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, inject, onTestFinished, test } from 'vitest'
import { anyStep, LibraryModel } from '#integration/library-model.ts'
import { createDatabase } from '#testing/engines/postgres-server.ts'
import { emptyStore } from '#testing/engines/s3-server.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { roundsOf } from '#testing/rounds.ts'
import { startServer } from '#testing/server/start-server.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { compareLibraries } from './compare-libraries.ts'
import { migrateLibrary } from './migrate-library.ts'
import {
  copyingToBucket,
  copyingToFolder,
  openEngines,
  openFolder,
  openNewFolder,
  publishFolder,
  type Side,
} from './sides.ts'

const RUNS = roundsOf({ usual: 1, all: 4 })

const running = { signal: new AbortController().signal, onProgress: () => {} }

const expectEqual = async (one: Side, other: Side) => {
  const { differences, texts } = await compareLibraries(one, other, running)
  expect([differences, texts]).toEqual([0, []])
}

test('brings any library there and back without a difference', { timeout: 300_000 }, async () => {
  const file = await drawFile('cat.png', { widthPx: 32, heightPx: 24 })
  const root = await createTemporaryFolder()
  onTestFinished(() => removeFolder(root))
  let round = 0

  const steps = fc.array(anyStep, { minLength: 10, maxLength: 60, size: 'max' })
  const run = fc.asyncProperty(steps, async (changes) => {
    round += 1
    const [from, to] = [join(root, `from-${round}`), join(root, `to-${round}`)]
    const server = await startServer({ dataFolder: from, runsQueue: false })
    const model = new LibraryModel(server.client, file)
    for (const step of changes) await model.take(step)
    await server.close()
    await mkdir(to)

    const source = await openFolder(from)
    const engines = await openEngines({
      databaseUrl: await createDatabase(inject('postgresUrl')),
      files: emptyStore(inject('s3Url')),
    })
    const copyOriginal = copyingToBucket(source, engines)
    const there = { ...running, source, target: engines, copyOriginal, skipsFailed: false }
    expect((await migrateLibrary(there)).isFinished).toBe(true)
    await expectEqual(source, engines)
    const target = await openNewFolder(to)
    const back = { ...there, source: engines, target }
    const copyBack = await copyingToFolder(engines, target)
    expect((await migrateLibrary({ ...back, copyOriginal: copyBack })).isFinished).toBe(true)
    await publishFolder(target)
    const result = await openFolder(to)
    await expectEqual(source, result)
    for (const side of [source, engines, result]) await side.close()
  })

  await fc.assert(run, { numRuns: RUNS, endOnFailure: true })
})
