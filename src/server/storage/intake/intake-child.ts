import { open } from 'node:fs/promises'
import { availableParallelism, constants, setPriority } from 'node:os'
import pLimit from 'p-limit'
import { Refusal } from '#server/core/refusal.ts'
import { watchThisProcess } from '#server/processes/watch.ts'
import { systemPath } from '#server/storage/disk/system-path.ts'
import { lookAtFile, takeInFile } from '#server/storage/disk/take-in-file.ts'
import { readEmbeddedMetadata } from '#server/storage/metadata/read-embedded-metadata.ts'
import { openImageCodec } from '#server/storage/thumbnails/image-codec.ts'
import type { Ask, Fault, IntakeOptions, ToChild, ToServer } from './intake-messages.ts'

/** Entry point of the process that reads and decodes files. The server starts and ends it. */

const { options, started, timed } = watchThisProcess<IntakeOptions>()
const { incomingFolder, maxPixels, isBackground } = options
if (isBackground) setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
const codec = openImageCodec({
  maxPixels,
  readMetadata: (source) => timed(() => readEmbeddedMetadata(source)),
})

/** Limits how many files are flushed at the same time. */
const limitFlushes = pLimit(availableParallelism())

/** The decoder takes paths as text. A file whose name is not valid Unicode is opened through its descriptor. */
const withPath = async <T>(path: string, decode: (path: string) => Promise<T>): Promise<T> => {
  if (path.isWellFormed()) return decode(path)
  const file = await open(systemPath(path))
  try {
    return await decode(`/dev/fd/${file.fd}`)
  } finally {
    await file.close()
  }
}

const answerOf = (ask: Ask): Promise<unknown> => {
  switch (ask.task) {
    case 'decode':
      return withPath(ask.args[0], (path) => codec.decode(path, ask.args[1]))
    case 'thumbnail':
      return codec.thumbnail(...ask.args)
    case 'transform':
      return codec.transform(...ask.args)
    case 'look':
      return lookAtFile(...ask.args)
    case 'takeIn':
      return limitFlushes(() => takeInFile(incomingFolder, ...ask.args))
  }
}

const faultOf = (error: unknown): Fault => ({
  code: error instanceof Refusal ? error.code : null,
  message: error instanceof Error ? error.message : String(error),
})

const answerTo = async ({ call, ask }: ToChild): Promise<ToServer> => {
  try {
    await started
    return { call, value: await answerOf(ask) }
  } catch (error) {
    return { call, fault: faultOf(error) }
  }
}

process.on('message', async (message: ToChild) => {
  // A closed channel is reported by the `disconnect` event.
  process.send?.(await answerTo(message), () => undefined)
})
