import type { ImageRecord } from '#contract/image.ts'
import { type RefusalCode, refusals } from '#contract/refusal.ts'

/**
 * A request that the rules refuse. Core throws it and knows no HTTP; the error handler alone turns it
 * into an answer.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: RefusalCode

  /**
   * @param detail - What a person reads, where it can say more than the code's own words.
   */
  constructor(code: RefusalCode, detail: string = refusals[code].detail, options?: ErrorOptions) {
    super(detail, options)
    this.code = code
  }
}

/** An upload of bytes that are in the library, and were not wanted twice. */
export class AlreadyHere extends Refusal {
  readonly image: ImageRecord

  /** @param image - The image with the same bytes. */
  constructor(image: ImageRecord, detail: string) {
    super('already_here', detail)
    this.image = image
  }
}
