/** Holds whoever wants to pass while it is shut. */
export class Gate {
  #opening: PromiseWithResolvers<void> | null = null

  get isShut(): boolean {
    return this.#opening !== null
  }

  shut(): void {
    this.#opening ??= Promise.withResolvers()
  }

  open(): void {
    this.#opening?.resolve()
    this.#opening = null
  }

  /** Returns when it is open. */
  async pass(): Promise<void> {
    while (this.#opening !== null) await this.#opening.promise
  }
}
