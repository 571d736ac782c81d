import type { CallOptions } from '#client/transport/call.ts'
import type { Http } from '#client/transport/http.ts'
import { type LibraryChanges, listChanges } from '#contract/server/change-operations.ts'

/** Options of `changes.list`. */
export interface ListChangesOptions extends CallOptions {
  /** The `new_state` of an earlier list. Without it, the list has the current state and no changes. */
  readonly since?: string | undefined
  /** Maximum number of requests whose changes are listed. The default and the maximum are 1000. */
  readonly limit?: number | undefined
  /** Leaves out the changes of clients with this `origin`. */
  readonly exceptOrigin?: string | undefined
}

/**
 * Lists what has changed in the library, by any client. Requires the extension `changes`.
 *
 * @example
 * const { new_state } = await changes.list()
 * // Later:
 * const { images } = await changes.list({ since: new_state })
 * console.log(images.created, images.updated, images.destroyed)
 */
export class ChangeOperations {
  readonly #http: Http

  /** @internal */
  constructor(http: Http) {
    this.#http = http
  }

  /**
   * Lists the images and boards that have changed since a state of the library: their names and ids, not the records.
   * If `has_more` is true, call it again with `new_state` as `since`.
   *
   * @throws {RefusedError} `state_unknown`: the changes since this state are no longer known, for example because
   *   the library was restored from a backup. Read the library again.
   */
  list({ since, limit, exceptOrigin, ...call }: ListChangesOptions = {}): Promise<LibraryChanges> {
    return this.#http.call(listChanges, {
      query: { since, limit, except_origin: exceptOrigin },
      ...call,
    })
  }
}
