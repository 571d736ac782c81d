import { inOrder, needsModel, saves } from './graph.ts'
import type { Library } from './library.ts'
import type { Queue } from './queue.ts'
import { Run } from './run.ts'

/**
 * What works through the queue. By itself it saves a picture for each node that saves one; a test that
 * wants to see something on the way takes the item over, and says what happens and when.
 */
export class Engine {
  readonly #queue: Queue
  readonly #library: Library
  /** Tests that wait for an item. While there is one, nothing runs by itself. */
  #takers: ((run: Run) => void)[] = []
  #isByHand = false
  #isStarted = false
  #running: Run | null = null

  constructor(queue: Queue, library: Library) {
    this.#queue = queue
    this.#library = library
    queue.onChange = () => this.#goOn()
  }

  /** From now on nothing runs unless a test takes it. */
  byHand(): void {
    this.#isByHand = true
  }

  /** Takes the next item, once there is one, and begins with it. */
  take(): Promise<Run> {
    this.#isByHand = true
    return new Promise((resolve) => {
      this.#takers.push(resolve)
      this.#goOn()
    })
  }

  /** The server has started: what waits goes on. */
  start(): void {
    this.#isStarted = true
    this.#goOn()
  }

  /** The server ends: what runs is canceled, and nobody is told (wire 5, statuses). */
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

/** Goes through all nodes. One that fails has said so. */
async function runAlone(run: Run): Promise<void> {
  for (const node of inOrder(run.item.session.graph)) {
    run.start(node.id)
    if ('image' in node && node.image === null && !run.isFed(node.id, 'image')) {
      const message = `${node.type} missing value for required field image`
      run.fail('MissingInputException', message)
      return
    }
    if (saves(node)) await run.save(needsModel(node) ? { isNoted: true } : {})
    else run.complete()
  }
  run.finish()
}
