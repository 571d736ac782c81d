import { open } from 'node:fs/promises'
import { availableParallelism, constants, setPriority } from 'node:os'
import pLimit from 'p-limit'
import type { FileIntake } from '#server/core/file-intake.ts'
import { Refusal } from '#server/core/refusal.ts'
import { systemPath } from '#server/storage/disk/system-path.ts'
import { lookAtFile, takeInFile } from '#server/storage/disk/take-in-file.ts'
import { openImageCodec } from '#server/storage/thumbnails/image-codec.ts'
import type { Ask, Fault, IntakeOptions, ToChild, ToServer } from './intake-messages.ts'

/** The entry of the process that reads files for imports. The server starts it, and it ends when its channel closes. */

// Whoever looks at the gallery meanwhile gets the cores first.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
const { incomingFolder, maxPixels }: IntakeOptions = JSON.parse(process.argv[2] ?? '')
const codec = openImageCodec({ maxPixels })

/** Files that are flushed at once. */
const takingTurn = pLimit(availableParallelism())

/** A decoder takes text for a path. A file whose name is none is reached by what it is opened as. */
const decode: FileIntake['decode'] = async (path, given) => {
  if (path.isWellFormed()) return codec.decode(path, given)
  const file = await open(systemPath(path))
  try {
    return await codec.decode(`/dev/fd/${file.fd}`, given)
  } finally {
    await file.close()
  }
}

const answerOf = (ask: Ask): Promise<unknown> => {
  if (ask.task === 'decode') return decode(...ask.args)
  if (ask.task === 'look') return lookAtFile(...ask.args)
  return takingTurn(() => takeInFile(incomingFolder, ...ask.args))
}

const faultOf = (error: unknown): Fault => ({
  code: error instanceof Refusal ? error.code : null,
  message: error instanceof Error ? error.message : String(error),
})

const answerTo = async ({ call, ask }: ToChild): Promise<ToServer> => {
  try {
    return { call, value: await answerOf(ask) }
  } catch (error) {
    return { call, fault: faultOf(error) }
  }
}

process.on('message', async (message: ToChild) => {
  // A server that is gone meanwhile is told of by `disconnect`.
  process.send?.(await answerTo(message), () => undefined)
})
process.on('disconnect', () => process.exit())
// Ctrl+C reaches every process of the terminal. The server lets land what is under way, and ends this one.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined)
