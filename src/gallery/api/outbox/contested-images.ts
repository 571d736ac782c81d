/** A pending change of the user. */
class PendingChange {
  readonly #targets: readonly string[]
  #names: ReadonlySet<string> | undefined
  isContested = false

  constructor(targets: readonly string[]) {
    this.#targets = targets
  }

  /** Made when it is first needed: a set of tens of thousands of names would delay the change. */
  get names(): ReadonlySet<string> {
    this.#names ??= new Set(this.#targets)
    return this.#names
  }
}

/**
 * Finds images that the user and others change at the same time. The answers about changes of others leave out those of
 * the user, so the page cannot tell which change is the later one, and must ask for the images again.
 */
export class ContestedImages {
  readonly #pending = new Set<PendingChange>()
  /** The images of changes that have ended since the last question about changes of others. `null`: none is asked. */
  #ended: PendingChange[] | null = null

  /**
   * Begins a change of the user.
   *
   * @returns Ends the change, and returns true if others may have changed some of its images meanwhile.
   */
  begin(targets: readonly string[]): () => boolean {
    const change = new PendingChange(targets)
    this.#pending.add(change)
    return () => {
      if (this.#pending.delete(change)) this.#ended?.push(change)
      return change.isContested
    }
  }

  /** Call this before each question about changes of others. */
  ask(): void {
    this.#ended = []
  }

  /**
   * Call this with the images that others have changed, or with `null` if not all of them are named.
   *
   * @returns True if a change of the same images has ended since the question.
   */
  note(names: ReadonlySet<string> | null): boolean {
    const isShared = (change: PendingChange) =>
      names === null || [...names].some((name) => change.names.has(name))
    for (const change of this.#pending) if (isShared(change)) change.isContested = true
    const hasEnded = this.#ended?.some(isShared) ?? false
    this.#ended = null
    return hasEnded
  }
}
