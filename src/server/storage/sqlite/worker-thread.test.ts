import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { WorkerThread } from './worker-thread.ts'

const openWriter = async (maxQueued: number) => {
  const folder = await createTemporaryFolder()
  const path = join(folder, 'tessera.db')
  const writer = new WorkerThread({ path, role: 'writer', maxQueued })
  onTestFinished(async () => {
    await writer.close()
    await removeFolder(folder)
  })
  await writer.run({ lifecycle: 'open', mayCreate: true, mayBeDamaged: false })
  return writer
}

const createBoard = (board_name: string) => ({
  unit: 'boards.create',
  args: [{ board_name, board_visibility: 'shared' }],
  now: 1,
})

test('refuses tasks beyond the queue limit as busy and completes the others', async () => {
  const writer = await openWriter(3)

  const outcomes = await Promise.allSettled(
    Array.from({ length: 50 }, (_, at) => writer.run(createBoard(`${at}`))),
  )

  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.length).toBeLessThan(50)
  for (const { reason } of refused) expect(reason).toMatchObject({ code: 'busy' })
})

test('passes on an error that is not a refusal', async () => {
  const writer = await openWriter(3)

  await expect(writer.run({ unit: 'boards.paint', args: [], now: 1 })).rejects.toThrow(
    'no unit of work is called boards.paint',
  )
})

test('refuses tasks as stopping after close', async () => {
  const writer = await openWriter(3)

  await writer.close()

  await expect(writer.run(createBoard('late'))).rejects.toMatchObject({ code: 'stopping' })
})
