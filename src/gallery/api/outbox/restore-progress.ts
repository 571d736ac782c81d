import type { Board } from '#client/index.ts'
import { sleep } from '#gallery/api/clock.ts'
import { itemCountOf } from '#gallery/api/images/noun.ts'
import type { StepAction } from './outbox-events.ts'
import { IMAGES_PER_PART } from './outbox-work.ts'
import type { StepsApi } from './step-options.ts'

/** The polling interval for the progress of a restored board, in milliseconds. */
const POLL_MS = 1_000

/** Reports how many images an Undo has restored, if it restores them in parts. */
export class RestoreProgress {
  readonly #api: StepsApi
  readonly #action: StepAction
  readonly #isQuiet: boolean
  #count = 0
  #doneCount = 0

  /** @param isQuiet - True for one of several steps, which are reported together. */
  constructor(api: StepsApi, action: StepAction, isQuiet = false) {
    this.#api = api
    this.#action = action
    this.#isQuiet = isQuiet
  }

  expect(imageCount: number): void {
    this.#count += imageCount
  }

  readonly add = (imageCount: number): void => this.#reach(this.#doneCount + imageCount)

  end(hasFailed: boolean): void {
    if (!hasFailed) this.#doneCount = this.#count
    this.report(true)
  }

  /** @returns True if there are so many images that the progress is reported. */
  report(isOver = false): boolean {
    const [action, count, doneCount] = [this.#action, this.#count, this.#doneCount]
    if (this.#isQuiet || count <= IMAGES_PER_PART) return false
    this.#api.emit({ kind: 'coming back', action, doneCount, count, isOver })
    return true
  }

  /** Polls the counts of a board that one request restores. Returns a function that stops polling. */
  poll({ board_id, ...counts }: Board): () => void {
    const count = itemCountOf(counts)
    this.expect(count)
    if (count <= IMAGES_PER_PART) return () => {}
    let isOver = false
    const poll = async () => {
      while (!isOver) {
        await sleep(this.#api.clock, POLL_MS)
        // The board does not exist until its first images are restored.
        const board = await this.#api.client.boardOperations.get(board_id).catch(() => null)
        if (board && !isOver) this.#reach(Math.min(itemCountOf(board), count))
      }
    }
    void poll()
    return () => {
      isOver = true
    }
  }

  #reach(doneCount: number): void {
    if (doneCount === this.#doneCount) return
    this.#doneCount = doneCount
    this.report()
  }
}
