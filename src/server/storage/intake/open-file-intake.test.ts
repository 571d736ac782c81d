import { readdir, readFile } from 'node:fs/promises'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { openLibrary } from '#testing/open-library.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'

const ROOM = { maxBytes: 500_000_000, link: false }

/** The processes that this one has started and that read files. */
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

/** A picture whose decoding takes a while. */
const drawLarge = async (): Promise<string> => {
  const folder = await createTemporaryFolder()
  onTestFinished(() => removeFolder(folder))
  const path = join(folder, 'large.png')
  const create = { width: 6000, height: 6000, channels: 3, background: 'red' } as const
  await sharp({ create }).png({ compressionLevel: 1 }).toFile(path)
  return path
}

test('files are read in a process that lets others go first', async () => {
  const { intake } = await openLibrary()

  await intake.look(await drawLarge(), ROOM)

  const [reader = 0] = await readers()
  expect(getPriority(reader)).toBeGreaterThan(getPriority())
})

test('what was under way when the process ended is done again', async () => {
  const { intake } = await openLibrary()
  const taken = await intake.takeIn(await drawLarge(), ROOM)
  const decoding = [1, 2, 3].map(() => intake.decode(taken.path, { metadata: null }))

  for (const reader of await readers()) process.kill(reader, 'SIGKILL')

  const decoded = await Promise.all(decoding)
  expect(decoded.map(({ width }) => width)).toEqual([6000, 6000, 6000])
})

test('a file that ends the process wherever it is decoded is refused', async () => {
  const { intake } = await openLibrary()
  const { path } = await intake.takeIn(await drawLarge(), ROOM)
  let isOver = false

  const decoding = intake.decode(path, { metadata: null }).finally(() => {
    isOver = true
  })
  const killing = (async () => {
    while (!isOver) for (const reader of await readers()) process.kill(reader, 'SIGKILL')
  })()

  await expect(decoding).rejects.toMatchObject({ code: 'damaged_image' })
  await killing
  await expect(intake.look(path, ROOM)).resolves.toMatchObject({ isFresh: true })
})
