import { join } from 'node:path'
import pLimit from 'p-limit'
import { MAX_DECODE_MEMORY_BYTES } from '#contract/limits.ts'
import type { DecodedImage, ImageCodec, Thumbnail } from '#server/core/images/picture-ports.ts'
import type { FileIntake } from '#server/core/intake/file-intake.ts'
import { Refusal } from '#server/core/refusal.ts'
import type { CallableProcess } from '#server/processes/callable-process.ts'
import type { ArgsOf } from '#server/processes/calls.ts'
import {
  IntakeEnded,
  type IntakeLimits,
  type IntakeMethods,
  intakeLimits,
  intakeProcess,
} from './intake-process.ts'

type IntakeCall = {
  [Name in keyof IntakeMethods]: { method: Name; args: ArgsOf<IntakeMethods[Name]> }
}[keyof IntakeMethods]

export interface IntakeSettings {
  dataFolder: string
  maxPixels: number
  limits?: Partial<IntakeLimits>
  /** Reports a file whose metadata could not be read in time. Its image is stored without metadata. */
  onFailure?(error: Error): void
}

/**
 * Two processes that read files. If a file crashes the shared one, only that process ends: its work is repeated in
 * the second process, one file after the other, to identify the file at fault.
 */
class IntakeProcesses {
  readonly #shared: CallableProcess<IntakeMethods>
  readonly #alone: CallableProcess<IntakeMethods>
  readonly #turnAlone = pLimit(1)
  readonly #onFailure: (error: Error) => void

  constructor(settings: IntakeSettings, isBackground: boolean) {
    const { dataFolder, maxPixels, onFailure } = settings
    const limits = { ...intakeLimits, ...settings.limits }
    const options = { incomingFolder: join(dataFolder, 'incoming'), maxPixels, isBackground }
    this.#shared = intakeProcess(options, limits)
    this.#alone = intakeProcess(options, limits)
    this.#onFailure = onFailure ?? (() => undefined)
  }

  prepare(): void {
    this.#shared.prepare()
  }

  async call<T>(call: IntakeCall): Promise<T> {
    try {
      return (await callIn(this.#shared, call)) as T
    } catch (error) {
      if (!(error instanceof IntakeEnded)) throw error
      return this.#turnAlone(() => this.#callAlone(call)) as T
    }
  }

  decode(
    path: string,
    metadata: string | null,
    thumbnail: Thumbnail | null = null,
  ): Promise<DecodedImage> {
    return this.call({
      method: 'decode',
      args: [path, { metadata, thumbnail, readsMetadata: true }],
    })
  }

  async #callAlone(call: IntakeCall): Promise<unknown> {
    try {
      return await callIn(this.#alone, call)
    } catch (error) {
      if (!(error instanceof IntakeEnded)) throw error
      if (error.limit === 'memory') {
        // A new process has its whole memory for this file.
        if (error.hasAnswered) return this.#callAlone(call)
        throw tooMuchMemory(error)
      }
      if (error.limit === 'time' && call.method === 'decode' && call.args[1].readsMetadata) {
        this.#onFailure(new Error('The metadata of a file cannot be read in time.'))
        const [path, given] = call.args
        return this.#callAlone({
          method: 'decode',
          args: [path, { ...given, readsMetadata: false }],
        })
      }
      throw new Refusal('damaged_image', 'It crashes the image decoder.', {
        cause: error,
      })
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#shared.close(), this.#alone.close()])
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
  const processes = new IntakeProcesses(settings, true)
  return {
    prepare: () => processes.prepare(),
    takeIn: (...args) => processes.call({ method: 'takeIn', args }),
    look: (...args) => processes.call({ method: 'look', args }),
    decode: (path, { metadata }) => processes.decode(path, metadata),
    close: () => processes.close(),
  }
}

/** Decodes in separate processes, so that a decoder cannot crash the server or use up its memory. */
export const openCodecProcesses = (
  settings: IntakeSettings,
): ImageCodec & { close(): Promise<void> } => {
  const processes = new IntakeProcesses(settings, false)
  return {
    prepare: () => processes.prepare(),
    decode: (path, { metadata = null, thumbnail = null } = {}) =>
      processes.decode(path, metadata, thumbnail),
    thumbnail: (...args) => processes.call({ method: 'thumbnail', args }),
    transform: (...args) => processes.call({ method: 'transform', args }),
    close: () => processes.close(),
  }
}
