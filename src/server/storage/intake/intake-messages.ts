import type { RefusalCode } from '#contract/refusal.ts'
import type { FileIntake } from '#server/core/file-intake.ts'

/** What the process that reads files is started with. */
export interface IntakeOptions {
  /** Where files are put that have no name yet; on the file system of the library. */
  incomingFolder: string
  maxPixels: number
}

type Task = 'takeIn' | 'look' | 'decode'

/** What is asked of the process. */
export type Ask = { [T in Task]: { task: T; args: Parameters<FileIntake[T]> } }[Task]

/** From the server to the process that reads files. */
export type ToChild = { call: number; ask: Ask }

/** A refusal; with null, what was not foreseen. */
export interface Fault {
  code: RefusalCode | null
  message: string
}

/** From the process that reads files to the server. */
export type ToServer = { call: number; value: unknown } | { call: number; fault: Fault }
