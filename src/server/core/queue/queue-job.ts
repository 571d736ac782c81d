import type { EventSink, News } from '#server/core/events/event-hub.ts'
import {
  type EngineEnd,
  type EngineListener,
  faultOf,
  type GraphEngine,
  type Invocation,
} from './engine-ports.ts'
import { itemOfEvent, withFieldValues } from './queue-items.ts'
import type { ItemChange, ItemEnd, StoredBatch } from './queue-ports.ts'

/** The device that events and items name. */
export const DEVICE = 'cpu'

/** Result of a job, and the event for the node that failed, which is emitted after the status of the item. */
export interface JobEnd {
  end: ItemEnd
  error: News<'invocation_error'> | null
}

/** Runs the graph of one item and emits its events. */
export class QueueJob {
  readonly #started: ItemChange & { batch: StoredBatch }
  readonly #parts: { engine: GraphEngine; events: EventSink }
  readonly #abort = new AbortController()
  #isDropped = false
  #hasRun = false
  #last: Invocation | null = null
  #error: News<'invocation_error'> | null = null

  constructor(
    started: ItemChange & { batch: StoredBatch },
    parts: { engine: GraphEngine; events: EventSink },
  ) {
    this.#started = started
    this.#parts = parts
  }

  get itemId(): number {
    return this.#started.item.item_id
  }

  /** True if another part has ended the item and emitted its final events. */
  get isDropped(): boolean {
    return this.#isDropped
  }

  /** True after the graph has ended. Then only the storage of the result can tell if the item was stopped before. */
  get hasRun(): boolean {
    return this.#hasRun
  }

  stop(): void {
    this.#abort.abort()
  }

  /** Stops the job and its events, because the final event of the item was already sent. */
  drop(): void {
    this.#isDropped = true
    this.stop()
  }

  /** Emits progress while the result waits to be stored. Otherwise clients would show the last node as running. */
  reportWaiting(message: string): void {
    if (this.#last === null) return
    const nothing = { percentage: null, image: null, device: DEVICE }
    this.#emit('invocation_progress', { ...this.#eventOf(this.#last), message, ...nothing })
  }

  /** Runs the job to its end. An error of the engine fails only this item. */
  async run(): Promise<JobEnd> {
    const { status, session, fault } = await this.#runGraph()
    this.#hasRun = true
    return {
      end: { status, session: JSON.stringify(session), error: fault },
      error: status === 'failed' ? this.#error : null,
    }
  }

  async #runGraph(): Promise<EngineEnd> {
    const { item, batch } = this.#started
    const graph = JSON.parse(batch.graph)
    const fieldValues = item.field_values ?? []
    const job = {
      itemId: item.item_id,
      sessionId: item.session_id,
      graph,
      fieldValues,
      workflow: batch.workflow === null ? null : JSON.parse(batch.workflow),
    }
    try {
      return await this.#parts.engine.run(job, this.#listener(), this.#abort.signal)
    } catch (error) {
      const session = this.#parts.engine.newSession(
        item.session_id,
        withFieldValues(graph, fieldValues),
      )
      return { status: 'failed', session, fault: faultOf(error) }
    }
  }

  #listener(): EngineListener {
    return {
      onStarted: (of) => {
        this.#last = of
        this.#emit('invocation_started', this.#eventOf(of))
      },
      onProgress: (of, progress) =>
        this.#emit('invocation_progress', { ...this.#eventOf(of), ...progress, device: DEVICE }),
      onComplete: (of, result) =>
        this.#emit('invocation_complete', { ...this.#eventOf(of), result }),
      onError: (of, fault) => {
        this.#error = {
          ...this.#eventOf(of),
          error_type: fault.type,
          error_message: fault.message,
          error_traceback: fault.traceback,
        }
      },
    }
  }

  #emit: EventSink['emit'] = (event, news) => {
    if (!this.#isDropped) this.#parts.events.emit(event, news)
  }

  #eventOf({ invocation, sourceId }: Invocation) {
    const { item } = this.#started
    return {
      ...itemOfEvent(item),
      session_id: item.session_id,
      invocation,
      invocation_source_id: sourceId,
    }
  }
}
