import type { RefusalCode } from '#contract/refusal.ts'
import type { DecodedImage, ImageCodec, Thumbnail } from '#server/core/images/picture-ports.ts'
import type { FileIntake } from '#server/core/intake/file-intake.ts'

/** Startup options of the process that reads files. */
export interface IntakeOptions {
  /** The folder for temporary files, on the file system of the library. */
  incomingFolder: string
  maxPixels: number
  /** True gives the process a lower priority than all other processes. */
  isBackground: boolean
}

/** `metadata` and `thumbnail` as in `ImageCodec.decode`; without `readsMetadata` the metadata is marked unread. */
type Decode = (
  path: string,
  given: { metadata: string | null; thumbnail: Thumbnail | null; readsMetadata: boolean },
) => Promise<DecodedImage>

interface Tasks extends Pick<FileIntake, 'takeIn' | 'look'> {
  decode: Decode
  thumbnail: ImageCodec['thumbnail']
  transform: ImageCodec['transform']
}

/** A request to the process. */
export type Ask = { [T in keyof Tasks]: { task: T; args: Parameters<Tasks[T]> } }[keyof Tasks]

/** From the server to the process that reads files. */
export type ToChild = { call: number; ask: Ask }

/** A refusal, or an unexpected error if `code` is null. */
export interface Fault {
  code: RefusalCode | null
  message: string
}

/** From the process that reads files to the server. */
export type ToServer = { call: number; value: unknown } | { call: number; fault: Fault }
