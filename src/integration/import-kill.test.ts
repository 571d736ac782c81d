import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Import } from '#contract/import.ts'
import { seededRandom } from '#demo/seeded-random.ts'
import { openImageFiles } from '#server/storage/disk/image-files.ts'
import { openRecords } from '#server/storage/sqlite/open-records.ts'
import { drawClip } from '#testing/library/draw-clip.ts'
import { imagesOf } from '#testing/library/open-imports.ts'
import { drawnBytes, writeTree } from '#testing/library/write-tree.ts'
import { killSeed, roundsOf } from '#testing/rounds.ts'
import { entryFile, serverEnvironment } from '#testing/server/server-environment.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'

const ROUNDS = roundsOf({ usual: 1, all: 5 })
/** Reading the first video takes most of it. */
const LONGEST_ROUND_MS = 1_000

const childFile = entryFile(new URL('../testing/library/import-child.ts', import.meta.url))

let root: string
beforeEach(async () => {
  root = await createTemporaryFolder()
})
afterEach(() => removeFolder(root))

const from = () => join(root, 'from')

const startImport = (dataFolder: string) =>
  spawn(process.execPath, [childFile, from(), dataFolder], {
    // With the shared compile cache. Recompiling the modules would take more than half of the time of such a process.
    env: serverEnvironment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })

/** Imports to the end. */
const importToEnd = async (dataFolder: string): Promise<Import> => {
  const child = startImport(dataFolder)
  const said = await text(child.stdout)
  return JSON.parse(said.split('\n')[1] ?? '')
}

/** Imports until this many milliseconds after the start. */
const importFor = async (dataFolder: string, milliseconds: number): Promise<void> => {
  const child = startImport(dataFolder)
  const exit = once(child, 'exit')
  await Promise.race([once(child.stdout, 'data'), exit])
  expect(child.exitCode).toBe(null)
  await sleep(milliseconds)
  child.kill('SIGKILL')
  await exit
}

/** Adds eleven files after all others: new images, a duplicate, a broken one, and a video. */
const addFiles = async (round: number): Promise<void> => {
  const folder = `round ${String(round).padStart(2, '0')}`
  const drawn = await drawnBytes(`${round % 4}.png`)
  const files: Record<string, Uint8Array> = {
    'a/twin.png': drawn,
    'b/cut.png': drawn.subarray(99),
    'c/clip.mp4': await drawClip({ frames: 5 + round }),
  }
  for (let at = 0; at < 8; at++) {
    // Decoders ignore bytes after the end of an image.
    files[`${at}.png`] = Buffer.concat([drawn, Buffer.from(`${round}-${at}`)])
  }
  const placed = Object.entries(files).map(([name, bytes]) => [`${folder}/${name}`, bytes])
  await writeTree(from(), Object.fromEntries(placed))
}

/** Returns the content of a library after checking that its records and files agree. */
const contentOf = async (dataFolder: string) => {
  const records = await openRecords({ dataFolder })
  const files = await openImageFiles({ dataFolder })
  const hashes: string[] = []
  for await (const { imageNames } of files.list()) {
    for (const name of imageNames) hashes.push(await files.contentHash(name))
  }
  const images = await imagesOf(records)
  await records.close()
  expect(hashes.sort()).toEqual(images.map(({ hash }) => hash).sort())
  return images.map(({ fileName, board, hash }) => ({ fileName, board, hash }))
}

test(`gives the same library after kills as an undisturbed import (rounds: ${ROUNDS}, seed: ${killSeed})`, async () => {
  const random = seededRandom(killSeed)
  const [disturbed, undisturbed] = [join(root, 'disturbed'), join(root, 'undisturbed')]
  for (const folder of [disturbed, undisturbed]) await mkdir(folder)

  for (let round = 0; round < ROUNDS; round++) {
    await addFiles(round)
    await importFor(disturbed, random.integer(0, LONGEST_ROUND_MS))
  }
  const last = await importToEnd(disturbed)
  const only = await importToEnd(undisturbed)

  expect(last).toMatchObject({ state: 'completed', found: only.found, refused: only.refused })
  const images = await contentOf(disturbed)
  expect(images.length).toBeGreaterThan(8 * ROUNDS)
  expect(images.filter(({ fileName }) => fileName === 'clip.mp4')).toHaveLength(ROUNDS)
  expect(images).toEqual(await contentOf(undisturbed))
}, 600_000)
