import type { NodeContext } from '#server/engine/define-node.ts'
import type { NodeProgress } from './node-runner.ts'
import { previewOf } from './preview-of.ts'

/** Sends what a node tells of its progress, in order. A preview that comes while another is drawn is left out. */
export class ProgressReports {
  readonly #send: (progress: NodeProgress) => void
  readonly #signal: AbortSignal
  #drawing: Promise<void> | null = null

  constructor(send: (progress: NodeProgress) => void, signal: AbortSignal) {
    this.#send = send
    this.#signal = signal
  }

  readonly report: NodeContext['progress'] = (message, percentage = null, preview) => {
    if (preview === undefined || this.#drawing !== null) {
      this.#send({ message, percentage, image: null })
      return
    }
    this.#drawing = previewOf(preview, this.#signal)
      .catch(() => null)
      .then((image) => {
        this.#drawing = null
        this.#send({ message, percentage, image })
      })
  }

  /** Waits for what is not sent yet. */
  async settled(): Promise<void> {
    await this.#drawing
  }
}
