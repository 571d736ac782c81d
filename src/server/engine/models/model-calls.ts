import type { ModelFile } from '#server/core/models/model-ports.ts'

/** A request about models to the node process. */
export type ModelAsk = { method: 'load'; model: ModelFile } | { method: 'empty' }

/** Pending calls to the node process. */
export class ModelCalls {
  readonly #open = new Map<number, (fault: Error | null) => void>()
  #last = 0

  /**
   * @param send - Sends the call with its number.
   * @throws {NodeFault} The error of the process, or the reason of its end.
   */
  async make(send: (call: number) => void): Promise<void> {
    this.#last += 1
    const call = this.#last
    const fault = await new Promise<Error | null>((settle) => {
      this.#open.set(call, settle)
      send(call)
    })
    if (fault !== null) throw fault
  }

  settle(call: number, fault: Error | null): void {
    this.#open.get(call)?.(fault)
    this.#open.delete(call)
  }

  /** Rejects all pending calls, after the process has ended. */
  failAll(reason: Error): void {
    for (const call of [...this.#open.keys()]) this.settle(call, reason)
  }
}
