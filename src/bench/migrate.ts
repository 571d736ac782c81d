import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import pLimit from 'p-limit'
import { parseFilesUrl } from '#server/storage/s3/files-url.ts'
import { createDatabase } from '#testing/engines/postgres-server.ts'
import { emptyStore } from '#testing/engines/s3-server.ts'
import { TestEngines } from '#testing/engines/test-engines.ts'
import { fillLibrary } from '#testing/library/fill-library.ts'
import { runCommand, startCommand } from '#testing/server/run-command.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { type Figure, median, reportFigures } from './figures.ts'

export interface MigrateBenchOptions {
  images?: number
  /** Number of different images. */
  pictures?: number
  /** Longest side in pixels. */
  size?: number
  rounds?: number
}

/** Files that the plain copy sends at the same time: more are not faster. */
const ABREAST = 8

/** Copies originals and thumbnails to S3 without any check. */
const copyPlainly = async (dataFolder: string, filesUrl: string): Promise<void> => {
  const { bucket, prefix, endpoint } = parseFilesUrl(filesUrl)
  const client = new S3Client({
    region: 'us-east-1',
    forcePathStyle: true,
    ...(endpoint !== null && { endpoint }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
  })
  const limit = pLimit(ABREAST)
  for (const folder of ['images', 'thumbnails']) {
    const entries = await readdir(join(dataFolder, folder), {
      recursive: true,
      withFileTypes: true,
    })
    await limit.map(
      entries.filter((entry) => entry.isFile()),
      async ({ parentPath, name }) => {
        const path = join(parentPath, name)
        const Key = `${prefix}${relative(dataFolder, path)}`
        await client.send(new PutObjectCommand({ Bucket: bucket, Key, Body: await readFile(path) }))
      },
    )
  }
  client.destroy()
}

const secondsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}

/** Runs a migration to its end. Returns its peak memory in MB. */
const migrate = async (...args: string[]): Promise<number> => {
  const { child, ended } = startCommand('migrate', ...args)
  let peakKb = 0
  const sample = setInterval(async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '')
    peakKb = Math.max(peakKb, Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0))
  }, 100)
  const { code, out, err } = await ended
  clearInterval(sample)
  if (code !== 0) throw new Error(`The migration ended with ${code}: ${err}${out}`)
  return (peakKb * 1024) / 1e6
}

/** Alternates plain copies to S3 with migrations of the same library, and migrates it back. */
export const bench = async ({
  images = 5000,
  pictures = 500,
  size = 512,
  rounds = 3,
}: MigrateBenchOptions = {}): Promise<Figure[]> => {
  const engines = new TestEngines()
  const folder = await createTemporaryFolder()
  const source = join(folder, 'source')
  try {
    const { postgresUrl, s3Url } = await engines.start()
    if (postgresUrl === null || s3Url === null) throw new Error('PostgreSQL or S3 is missing.')
    await fillLibrary(source, { imageCount: images, pictureCount: pictures, longestPx: size })
    const rates = { plain: [] as number[], there: [] as number[], back: [] as number[] }
    const memory: number[] = []
    for (let round = 0; round < rounds; round++) {
      const plain = emptyStore(s3Url)
      rates.plain.push(images / (await secondsOf(() => copyPlainly(source, plain))))
      const database = await createDatabase(postgresUrl)
      const place = ['--database', database, '--files', emptyStore(s3Url)]
      const there = await secondsOf(async () => {
        memory.push(await migrate('--data', source, ...place))
      })
      rates.there.push(images / there)
      const back = join(folder, `back-${round}`)
      rates.back.push(images / (await secondsOf(() => migrate(...place, '--to', back))))
      if (round === 0) {
        const { code } = await runCommand('migrate', ...place, '--data', source, '--verify')
        if (code !== 0) throw new Error('The copy differs from the library.')
      }
      await removeFolder(back)
    }
    const of = `${images.toLocaleString('en')} images of ${size} px`
    return [
      {
        name: `migration of ${of} to PostgreSQL and S3`,
        value: median(rates.there),
        unit: 'images/s',
        baseline: { name: 'plain copy of the files to S3', value: median(rates.plain) },
        mark: '0.8 x',
      },
      {
        name: `migration of ${of} back to a folder`,
        value: median(rates.back),
        unit: 'images/s',
      },
      { name: 'memory of the migration', value: median(memory), unit: 'MB' },
    ]
  } finally {
    await removeFolder(folder)
    await engines.stop()
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      images: { type: 'string' },
      pictures: { type: 'string' },
      size: { type: 'string' },
      rounds: { type: 'string' },
    },
    strict: false,
  })
  const { images, pictures, size, rounds } = values
  reportFigures(
    'migrate',
    await bench({
      ...(images && { images: Number(images) }),
      ...(pictures && { pictures: Number(pictures) }),
      ...(size && { size: Number(size) }),
      ...(rounds && { rounds: Number(rounds) }),
    }),
  )
}
