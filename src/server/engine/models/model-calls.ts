import type { ModelFile } from '#server/core/models/model-ports.ts'

/** What is asked of the process that runs nodes, beside running them. */
export type ModelAsk = { method: 'load'; model: ModelFile } | { method: 'empty' }

/** Calls that wait for the answer of a process. */
export class ModelCalls {
  readonly #open = new Map<number, (fault: Error | null) => void>()
  #last = 0

  /**
   * @param send - Sends the call under its number.
   * @throws {NodeFault} What the process answered, or that it ended.
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

  /** The process has ended. */
  failAll(reason: Error): void {
    for (const call of [...this.#open.keys()]) this.settle(call, reason)
  }
}
