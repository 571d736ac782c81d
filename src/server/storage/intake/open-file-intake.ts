import { join } from 'node:path'
import pLimit from 'p-limit'
import type { FileIntake } from '#server/core/file-intake.ts'
import { Refusal } from '#server/core/refusal.ts'
import { IntakeChildProcess, IntakeEnded } from './intake-child-process.ts'
import type { Ask } from './intake-messages.ts'

/**
 * Reads files in a process of its own, which the system lets work on what the server and its threads leave of
 * the cores. A file that ends it ends nothing else: what was under way then is done again in a second process,
 * one file after the other, so that the one that did it is known.
 *
 * @param options - `incomingFolder` must be there when the first file is taken in.
 */
export const openFileIntake = ({
  dataFolder,
  maxPixels,
}: {
  dataFolder: string
  maxPixels: number
}): FileIntake => {
  const options = { incomingFolder: join(dataFolder, 'incoming'), maxPixels }
  const shared = new IntakeChildProcess(options)
  const alone = new IntakeChildProcess(options)
  const turnAlone = pLimit(1)

  const ask = async (asked: Ask): Promise<unknown> => {
    try {
      return await shared.ask(asked)
    } catch (error) {
      if (!(error instanceof IntakeEnded)) throw error
      return turnAlone(() => askAlone(asked))
    }
  }
  const askAlone = async (asked: Ask): Promise<unknown> => {
    try {
      return await alone.ask(asked)
    } catch (error) {
      if (!(error instanceof IntakeEnded)) throw error
      throw new Refusal('damaged_image', 'The program that decodes it does not survive it.')
    }
  }

  return {
    prepare: () => shared.prepare(),
    takeIn: (...args) => ask({ task: 'takeIn', args }) as ReturnType<FileIntake['takeIn']>,
    look: (...args) => ask({ task: 'look', args }) as ReturnType<FileIntake['look']>,
    decode: (...args) => ask({ task: 'decode', args }) as ReturnType<FileIntake['decode']>,
    close: async () => {
      await Promise.all([shared.close(), alone.close()])
    },
  }
}
