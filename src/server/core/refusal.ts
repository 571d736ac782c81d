import type { ImageRecord } from '#contract/image.ts'
import { type RefusalCode, refusals } from '#contract/refusal.ts'

/** A request that breaks a rule. Core throws it without knowing HTTP; the error handler converts it to a response. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: RefusalCode

  /** @param detail - Message for the user. The default is the message of the code. */
  constructor(code: RefusalCode, detail: string = refusals[code].detail, options?: ErrorOptions) {
    super(detail, options)
    this.code = code
  }
}

/** Returns a value that is not null or undefined. Otherwise throws the refusal. */
export function orRefuse<T>(value: T | null | undefined, code: RefusalCode, detail?: string): T {
  if (value === null || value === undefined) throw new Refusal(code, detail)
  return value
}

const MIB = 1024 * 1024

/** Refuses a file that is larger than a limit in bytes. */
export const tooLarge = (maxBytes: number): Refusal => {
  const limit = maxBytes >= MIB ? `${Math.floor(maxBytes / MIB)} MiB` : `${maxBytes} bytes`
  return new Refusal('file_too_large', `The file is larger than ${limit}, this server's limit.`)
}

/** An upload whose bytes are already in the library, sent with the option to skip duplicates. */
export class AlreadyHere extends Refusal {
  readonly image: ImageRecord

  /** @param image - The image with the same bytes. */
  constructor(image: ImageRecord, detail: string) {
    super('already_here', detail)
    this.image = image
  }
}
