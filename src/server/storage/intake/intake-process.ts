import { availableParallelism } from 'node:os'
import { MAX_DECODE_MEMORY_BYTES } from '#contract/limits.ts'
import type { RefusalCode } from '#contract/refusal.ts'
import type { DecodedImage, ImageCodec, Thumbnail } from '#server/core/images/picture-ports.ts'
import type { FileIntake } from '#server/core/intake/file-intake.ts'
import { Refusal } from '#server/core/refusal.ts'
import { CallableProcess, type ChildEnd } from '#server/processes/callable-process.ts'

export interface IntakeOptions {
  /** The folder for temporary files, on the file system of the library. */
  incomingFolder: string
  maxPixels: number
  /** True gives the process a lower priority than all other processes. */
  isBackground: boolean
}

export interface IntakeMethods extends Pick<FileIntake, 'takeIn' | 'look'> {
  /** `metadata` and `thumbnail` as in `ImageCodec.decode`; without `readsMetadata` the metadata is marked unread. */
  decode(
    path: string,
    given: { metadata: string | null; thumbnail: Thumbnail | null; readsMetadata: boolean },
  ): Promise<DecodedImage>
  thumbnail: ImageCodec['thumbnail']
  transform: ImageCodec['transform']
}

/** Idle time before the process ends, in milliseconds. Starting it again takes a third of a second. */
const IDLE_MS = 10_000

/** Threads for decoding (one more than there are cores) and for flushing. */
const THREADS = 2 * availableParallelism() + 1

/** Limits of the process; tests set lower ones. */
export const intakeLimits = {
  /** Time for the metadata of one file, in milliseconds. The largest accepted metadata takes about 300. */
  metadataMs: 3_000,
  /** Memory use at which the process is ended. It can still grow between two checks of its watcher. */
  memoryBytes: 0.97 * MAX_DECODE_MEMORY_BYTES,
}

/** The process ended while it had work. */
export class IntakeEnded extends Error {
  override readonly name = 'IntakeEnded'
  readonly limit: ChildEnd['limit']
  /** True if the process had answered before. Memory that earlier files left allocated counts toward its limit too. */
  readonly hasAnswered: boolean

  constructor({ limit, code, signal, lastWords, hasAnswered }: ChildEnd) {
    super(`The process that reads files ended (${signal ?? code}). ${lastWords}`)
    this.limit = limit
    this.hasAnswered = hasAnswered
  }
}

/** Creates a process that reads files. Calls throw its refusals, or `IntakeEnded`. */
export const intakeProcess = (options: IntakeOptions, limits: typeof intakeLimits) =>
  new CallableProcess({
    entry: { name: 'intake-child', beside: import.meta.url },
    options,
    maxMemoryBytes: limits.memoryBytes,
    maxWorkMs: limits.metadataMs,
    threads: THREADS,
    idleMs: IDLE_MS,
    handlers: {},
    errorOf: ({ name, code, message }) =>
      name === 'Refusal' ? new Refusal(code as RefusalCode, message) : new Error(message),
    onEnd: (end) => new IntakeEnded(end),
  })
