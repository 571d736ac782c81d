import { open } from 'node:fs/promises'
import { availableParallelism, constants, setPriority } from 'node:os'
import pLimit from 'p-limit'
import { serveCalls, watchThisProcess } from '#server/processes/watch.ts'
import { readSidecars } from '#server/storage/disk/read-sidecars.ts'
import { systemPath } from '#server/storage/disk/system-path.ts'
import { lookAtFile, takeInFile } from '#server/storage/disk/take-in-file.ts'
import { readEmbeddedMetadata } from '#server/storage/metadata/read-embedded-metadata.ts'
import { openImageCodec } from '#server/storage/thumbnails/image-codec.ts'
import type { IntakeMethods, IntakeOptions } from './open-file-intake.ts'

/** Entry point of the process that reads and decodes files. The server starts and ends it. */

const { options, started, timed, timedLater } = watchThisProcess<IntakeOptions>()
const { incomingFolder, maxPixels, isBackground } = options
if (isBackground) setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
const codec = openImageCodec({
  maxPixels,
  readMetadata: (source) => timed(() => readEmbeddedMetadata(source)),
  limitVideo: timedLater,
})

/** Limits how many files are flushed at the same time. */
const limitFlushes = pLimit(availableParallelism())

/** The decoder takes paths as text. A file whose name is not valid Unicode is opened through its descriptor. */
const withPath = async <T>(path: string, decode: (path: string) => Promise<T>): Promise<T> => {
  if (path.isWellFormed()) return decode(path)
  await using file = await open(systemPath(path))
  return await decode(`/dev/fd/${file.fd}`)
}

serveCalls<IntakeMethods>(started, {
  decode: ([path, { beside, ...given }]) =>
    withPath(path, (readable) =>
      codec.decode(readable, { ...given, sidecars: beside === null ? {} : readSidecars(beside) }),
    ),
  readMetadata: ([path, given]) =>
    withPath(path, (readable) => codec.readMetadata(readable, given)),
  thumbnail: (args) => codec.thumbnail(...args),
  fingerprint: (args) => codec.fingerprint(...args),
  poster: (args) => codec.poster(...args),
  strip: (args) => codec.strip(...args),
  transform: (args) => codec.transform(...args),
  convert: (args) => codec.convert(...args),
  look: (args) => lookAtFile(...args),
  takeIn: (args) => limitFlushes(() => takeInFile(incomingFolder, ...args)),
})
