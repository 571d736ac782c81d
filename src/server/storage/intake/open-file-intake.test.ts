import { readdir, readFile, writeFile } from 'node:fs/promises'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { addPngText } from '#demo/png-text.ts'
import { openLibrary } from '#testing/library/open-library.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { openCodecProcesses } from './open-file-intake.ts'

const ROOM = { maxBytes: 500_000_000, link: false }

/** Returns the process ids of the readers that this process has started. */
const readers = async (): Promise<number[]> => {
  const threads = await readdir('/proc/self/task')
  const lists = threads.map((thread) => readFile(`/proc/self/task/${thread}/children`, 'utf8'))
  const children = (await Promise.all(lists)).flatMap((list) => list.trim().split(' '))
  const commands = children.map(async (pid) => {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    return command.includes('intake-child') ? [Number(pid)] : []
  })
  return (await Promise.all(commands)).flat()
}

/** Kills the readers that are still running. */
const killReaders = async (): Promise<void> => {
  for (const reader of await readers()) {
    try {
      process.kill(reader, 'SIGKILL')
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
  }
}

/** Draws an image whose decoding takes a while. */
const drawLarge = async (): Promise<string> => {
  const folder = await createTemporaryFolder()
  onTestFinished(() => removeFolder(folder))
  const path = join(folder, 'large.png')
  const create = { width: 6000, height: 6000, channels: 3, background: 'red' } as const
  await sharp({ create }).png({ compressionLevel: 1 }).toFile(path)
  return path
}

test('reads files in a low-priority process @long', async () => {
  const { intake } = await openLibrary()

  await intake.look(await drawLarge(), ROOM)

  const [reader = 0] = await readers()
  expect(getPriority(reader)).toBeGreaterThan(getPriority())
})

test('repeats active work when its process ends', async () => {
  const { intake } = await openLibrary()
  const taken = await intake.takeIn(await drawLarge(), ROOM)
  const decoding = [1, 2, 3].map(() => intake.decode(taken.path, { metadata: null }))

  await killReaders()

  const decoded = await Promise.all(decoding)
  expect(decoded.map(({ width }) => width)).toEqual([6000, 6000, 6000])
})

test('refuses a file that crashes every process that decodes it', async () => {
  const { intake } = await openLibrary()
  const { path } = await intake.takeIn(await drawLarge(), ROOM)
  let isOver = false

  const decoding = intake.decode(path, { metadata: null }).finally(() => {
    isOver = true
  })
  const killing = (async () => {
    while (!isOver) await killReaders()
  })()

  await expect(decoding).rejects.toMatchObject({ code: 'damaged_image' })
  await killing
  await expect(intake.look(path, ROOM)).resolves.toMatchObject({ bytes: expect.any(Number) })
})

/** Opens a codec whose processes have these limits, and a folder for its files. */
const openLimited = async (limits: { metadataMs?: number; memoryBytes?: number }) => {
  const folder = await createTemporaryFolder()
  const failures: Error[] = []
  const codec = openCodecProcesses({
    dataFolder: folder,
    maxPixels: 100_000_000,
    limits,
    onFailure: (error) => failures.push(error),
  })
  onTestFinished(async () => {
    await codec.close()
    await removeFolder(folder)
  })
  const write = async (name: string, bytes: Uint8Array) => {
    await writeFile(join(folder, name), bytes)
    return join(folder, name)
  }
  const create = { width: 8, height: 8, channels: 3, background: 'red' } as const
  const small = await sharp({ create }).png().toBuffer()
  return { codec, write, small, failures }
}

test('keeps an image without metadata if its metadata takes too long to read', async () => {
  const { codec, write, small, failures } = await openLimited({ metadataMs: 0 })
  // Numbers beyond 2^53 are parsed digit by digit, which takes a while.
  const text = `{"seed": 12345678901234567, "a": [${'1,'.repeat(900_000)}1]}`
  const slow = await write('slow.png', addPngText(small, { invokeai_metadata: text, prompt: text }))
  const other = await write(
    'other.png',
    addPngText(small, { parameters: 'a cat\nSteps: 2, Seed: 1' }),
  )

  const [unread, read] = await Promise.all([codec.decode(slow), codec.decode(other)])

  expect(unread).toMatchObject({ width: 8, metadata: { normal: { is_unread: true, raw: {} } } })
  expect(read.metadata.normal).toMatchObject({ generator: 'a1111', prompt: 'a cat' })
  expect(failures.map(({ message }) => message)).toEqual([
    'The metadata of a file cannot be read in time.',
  ])
})

test('refuses a file that needs too much memory without affecting other files @long', async () => {
  const { codec, write, small } = await openLimited({ memoryBytes: 180_000_000 })
  const create = { width: 5500, height: 5500, channels: 4, background: 'red' } as const
  const large = await sharp({ create }).png({ compressionLevel: 1, progressive: true }).toBuffer()
  const [vast, other] = [await write('vast.png', large), await write('other.png', small)]

  const decoding = codec.decode(vast)
  const decoded = await codec.decode(other)

  expect(decoded.width).toBe(8)
  const refusal = { code: 'too_many_pixels', message: expect.stringContaining('600 MB') }
  await expect(decoding).rejects.toMatchObject(refusal)
  // Both processes have answered since then, so the file needs a third process.
  await expect(codec.decode(vast)).rejects.toMatchObject(refusal)
})
