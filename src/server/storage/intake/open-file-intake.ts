import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { MAX_DECODE_MEMORY_BYTES } from '#contract/limits.ts'
import type { RefusalCode } from '#contract/refusal.ts'
import type {
  DecodedImage,
  ImageCodec,
  ItemKind,
  Thumbnail,
} from '#server/core/images/picture-ports.ts'
import type { FileIntake } from '#server/core/intake/file-intake.ts'
import { Refusal } from '#server/core/refusal.ts'
import { CallableProcess, type ChildEnd } from '#server/processes/callable-process.ts'
import type { ArgsOf } from '#server/processes/calls.ts'
import { kindOfFile } from '#server/storage/thumbnails/sniff-format.ts'

export interface IntakeOptions {
  /** The folder for temporary files, on the file system of the library. */
  incomingFolder: string
  maxPixels: number
  /** True gives the process a lower priority than all other processes. */
  isBackground: boolean
}

export interface IntakeMethods extends Pick<FileIntake, 'takeIn' | 'look' | 'readMetadata'> {
  /** `metadata` and `thumbnail` as in `ImageCodec.decode`, `beside` and `posterMs` as in `FileIntake.decode`; without `readsMetadata` the metadata is marked unread. */
  decode(
    path: string,
    given: {
      metadata: string | null
      beside: string | null
      thumbnail: Thumbnail | null
      readsMetadata: boolean
      kind: ItemKind
      drawsPoster: boolean
      posterMs: number | null
    },
  ): Promise<DecodedImage>
  thumbnail: ImageCodec['thumbnail']
  fingerprint: ImageCodec['fingerprint']
  poster: ImageCodec['poster']
  strip: ImageCodec['strip']
  transform: ImageCodec['transform']
  convert: ImageCodec['convert']
}

/** Idle time before the process ends, in milliseconds. Starting it again takes a third of a second. */
const IDLE_MS = 10_000

/** Threads for decoding (one more than there are cores) and for flushing. */
const THREADS = 2 * availableParallelism() + 1

/** Limits of the process; tests set lower ones. */
const intakeLimits = {
  /** Time for the metadata of one file, in milliseconds. The largest accepted metadata takes about 300. */
  metadataMs: 3_000,
  /** Time for one video, in milliseconds. Up to two more attempts follow, of which the first leaves out the poster. */
  videoMs: 8_000,
  /** Memory use at which the process is ended. It can still grow between two checks of its watcher. */
  memoryBytes: 0.97 * MAX_DECODE_MEMORY_BYTES,
}

/** The process ended while it had work. */
class IntakeEnded extends Error {
  override readonly name = 'IntakeEnded'
  readonly end: ChildEnd

  constructor(end: ChildEnd) {
    super(`The process that reads files ended (${end.signal ?? end.code}). ${end.lastWords}`)
    this.end = end
  }
}

/** Creates a process that reads files. Calls throw its refusals, or `IntakeEnded`. */
const intakeProcess = (options: IntakeOptions, limits: typeof intakeLimits) =>
  new CallableProcess<IntakeMethods>({
    entry: { name: 'intake-child', beside: import.meta.url },
    options,
    maxMemoryBytes: limits.memoryBytes,
    maxWorkMs: limits.metadataMs,
    maxLaterMs: limits.videoMs,
    threads: THREADS,
    idleMs: IDLE_MS,
    handlers: {},
    errorOf: ({ name, code, message }) =>
      name === 'Refusal' ? new Refusal(code as RefusalCode, message) : new Error(message),
    onEnd: (end) => new IntakeEnded(end),
  })

type IntakeCall = {
  [Name in keyof IntakeMethods]: { method: Name; args: ArgsOf<IntakeMethods[Name]> }
}[keyof IntakeMethods]

export interface IntakeSettings {
  dataFolder: string
  maxPixels: number
  limits?: Partial<typeof intakeLimits>
  /** Reports a file whose metadata could not be read in time. Its image is stored without metadata. */
  onFailure?(error: Error): void
}

/** Two processes that read files. Work that crashes the shared one is repeated alone, to identify the file at fault. */
const openIntakeProcesses = (settings: IntakeSettings, isBackground: boolean) => {
  const { dataFolder, maxPixels, onFailure } = settings
  const limits = { ...intakeLimits, ...settings.limits }
  const options = { incomingFolder: join(dataFolder, 'incoming'), maxPixels, isBackground }
  const shared = intakeProcess(options, limits)
  const alone = intakeProcess(options, limits)
  const turnAlone = pLimit(1)

  const call = async <T>(request: IntakeCall): Promise<T> => {
    try {
      return (await callIn(shared, request)) as T
    } catch (error) {
      if (!(error instanceof IntakeEnded)) throw error
      const isVideo = request.method === 'decode' && request.args[1].kind === 'video'
      return turnAlone(() => (isVideo ? decodeVideoAlone(request) : callAlone(request))) as T
    }
  }

  const callAlone = async (request: IntakeCall): Promise<unknown> => {
    try {
      return await callIn(alone, request)
    } catch (error) {
      if (!(error instanceof IntakeEnded)) throw error
      const { limit, hasAnswered } = error.end
      if (limit === 'memory') {
        // Earlier files may have left memory allocated. A new process has its whole memory for this file.
        if (hasAnswered) return callAlone(request)
        throw tooMuchMemory(error)
      }
      if (limit === 'time' && request.method === 'decode' && request.args[1].readsMetadata) {
        onFailure?.(new Error('The metadata of a file cannot be read in time.'))
        const [path, given] = request.args
        return callAlone({ method: 'decode', args: [path, { ...given, readsMetadata: false }] })
      }
      throw new Refusal('damaged_image', 'It crashes the image decoder.', { cause: error })
    }
  }

  /**
   * Reads a video without its poster, and then with it. If its frames cannot be decoded within the limits, it is stored
   * without a poster.
   */
  const decodeVideoAlone = async (
    request: Extract<IntakeCall, { method: 'decode' }>,
  ): Promise<unknown> => {
    const [path, given] = request.args
    const ifInLimits = (drawsPoster: boolean) =>
      callIn(alone, { method: 'decode', args: [path, { ...given, drawsPoster }] }).catch(
        (error: unknown) => {
          if (!(error instanceof IntakeEnded)) throw error
          if (alone.isClosed) throw new Refusal('stopping')
          return error
        },
      )
    const plain = await ifInLimits(false)
    if (plain instanceof IntakeEnded)
      throw new Refusal('damaged_video', undefined, { cause: plain })
    const withPoster = await ifInLimits(true)
    return withPoster instanceof IntakeEnded ? plain : withPoster
  }

  return {
    call,
    decode: async (
      path: string,
      {
        metadata = null,
        beside = null,
        thumbnail = null,
        kind = 'image',
        posterMs = null,
      }: {
        metadata?: string | null
        beside?: string | null
        thumbnail?: Thumbnail | null
        kind?: ItemKind | 'any'
        posterMs?: number | null
      },
    ) => {
      const found = kind === 'any' ? await kindOfFile(path) : kind
      const given = {
        ...{ metadata, beside, thumbnail, posterMs },
        ...{ kind: found, readsMetadata: true, drawsPoster: true },
      }
      return call<DecodedImage>({ method: 'decode', args: [path, given] })
    },
    prepare: () => shared.prepare(),
    close: async () => {
      await Promise.all([shared.close(), alone.close()])
    },
  }
}

/** @throws {Refusal} `stopping` after `close`. */
const callIn = async (
  process: CallableProcess<IntakeMethods>,
  { method, args }: IntakeCall,
): Promise<unknown> => {
  if (process.isClosed) throw new Refusal('stopping')
  return process.call(method, args as never)
}

const tooMuchMemory = (cause: unknown): Refusal => {
  const limit = MAX_DECODE_MEMORY_BYTES / 1_000_000
  const detail = `Failed to read image: decoding it takes more than ${limit} MB of memory, this server's limit.`
  return new Refusal('too_many_pixels', detail, { cause })
}

/** Reads files for imports, with low priority. The incoming folder must exist before the first file is taken in. */
export const openFileIntake = (settings: IntakeSettings): FileIntake => {
  const { call, decode, prepare, close } = openIntakeProcesses(settings, true)
  return {
    prepare,
    takeIn: (...args) => call({ method: 'takeIn', args }),
    look: (...args) => call({ method: 'look', args }),
    decode,
    readMetadata: (...args) => call({ method: 'readMetadata', args }),
    thumbnail: (...args) => call({ method: 'thumbnail', args }),
    fingerprint: (...args) => call({ method: 'fingerprint', args }),
    close,
  }
}

/** Decodes in separate processes, so that a decoder cannot crash the server or use up its memory. */
export const openCodecProcesses = (
  settings: IntakeSettings,
): ImageCodec & { close(): Promise<void> } => {
  const { call, decode, prepare, close } = openIntakeProcesses(settings, false)
  return {
    prepare,
    decode: (path, given = {}) => decode(path, given),
    thumbnail: (...args) => call({ method: 'thumbnail', args }),
    fingerprint: (...args) => call({ method: 'fingerprint', args }),
    poster: (...args) => call({ method: 'poster', args }),
    strip: (...args) => call({ method: 'strip', args }),
    transform: (...args) => call({ method: 'transform', args }),
    convert: (...args) => call({ method: 'convert', args }),
    close,
  }
}
