import { needsModel, savesImage, sortByDependency } from './graph.ts'
import type { Library } from './library.ts'
import type { Queue } from './queue.ts'
import { Run } from './run.ts'

/**
 * Executes queue items. By default it saves an image for each saving node. To control the steps and their
 * timing, a test takes an item over.
 */
export class Engine {
  readonly #queue: Queue
  readonly #library: Library
  /** Tests that wait for an item. While there are any, items do not run by themselves. */
  #takers: ((run: Run) => void)[] = []
  #isByHand = false
  #isStarted = false
  #running: Run | null = null

  constructor(queue: Queue, library: Library) {
    this.#queue = queue
    this.#library = library
    queue.onChange = () => this.#goOn()
  }

  /** Stops running items by themselves. From now on, tests take them. */
  byHand(): void {
    this.#isByHand = true
  }

  /** Waits for the next item and starts it under the control of the test. */
  take(): Promise<Run> {
    this.#isByHand = true
    return new Promise((resolve) => {
      this.#takers.push(resolve)
      this.#goOn()
    })
  }

  /** Resumes pending items after a server start. */
  start(): void {
    this.#isStarted = true
    this.#goOn()
  }

  /** Cancels the running item at a server stop without an event, as InvokeAI does. */
  stop(): void {
    this.#isStarted = false
    this.#queue.tell = () => {}
    const running = this.#running?.item
    this.#running = null
    if (running) this.#queue.change(running, 'canceled')
  }

  #goOn(): void {
    if (this.#running && !this.#running.isOver) return
    this.#running = null
    const next = this.#queue.isPaused || !this.#isStarted ? undefined : this.#queue.next('default')
    if (next === undefined) return
    const taker = this.#takers.shift()
    if (this.#isByHand && taker === undefined) return
    const run = new Run(next, this.#queue, this.#library)
    this.#running = run
    this.#queue.change(next, 'in_progress')
    if (taker) taker(run)
    else void runAlone(run)
  }
}

/** Executes all nodes and stops at the first failure, which the node itself reports. */
async function runAlone(run: Run): Promise<void> {
  for (const node of sortByDependency(run.item.session.graph)) {
    run.start(node.id)
    if ('image' in node && node.image === null && !run.isFed(node.id, 'image')) {
      const message = `${node.type} missing value for required field image`
      run.fail('MissingInputException', message)
      return
    }
    if (savesImage(node)) await run.save(needsModel(node) ? { isNoted: true } : {})
    else run.complete()
  }
  run.finish()
}
