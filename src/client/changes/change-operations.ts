import type { EventStream } from '#client/events/event-stream.ts'
import type { Http } from '#client/transport/http.ts'
import { type LibraryChanges, listChanges } from '#contract/server/change-operations.ts'
import { type ListChangesOptions, type WatchChangesOptions, watchChanges } from './watch-changes.ts'

/**
 * Tells what has changed in the library, by any client. Requires the extension `changes`.
 *
 * @example
 * const { new_state } = await changes.list()
 * for await (const { images } of changes.watch({ since: new_state })) {
 *   console.log(images.created, images.updated, images.destroyed)
 * }
 */
export class ChangeOperations {
  readonly #http: Http
  readonly #events: EventStream

  /** @internal */
  constructor(http: Http, events: EventStream) {
    this.#http = http
    this.#events = events
  }

  /**
   * Lists the images and boards that have changed since a state of the library: their names and ids. With
   * `includeRecords` it adds the records of the images, unless more than 500 have changed.
   * If `has_more` is true, call it again with `new_state` as `since`.
   *
   * @throws {RefusedError} `state_unknown`: the changes since this state are no longer known, for example because
   *   the library was restored from a backup. Read the library again.
   */
  list({
    since,
    limit,
    exceptOrigin,
    includeRecords,
    ...call
  }: ListChangesOptions = {}): Promise<LibraryChanges> {
    return this.#http.call(listChanges, {
      query: {
        since,
        limit,
        except_origin: exceptOrigin,
        include_records: includeRecords,
      },
      ...call,
    })
  }

  /**
   * Yields the changes after a state as they happen, the earlier ones in parts. It waits for `library_changed`, and
   * asks every two seconds while the event stream is not open, and after 30 seconds without an event while it is. After
   * a connection loss it continues without a gap.
   *
   * If the changes since the state are no longer known, it yields an entry with `is_everything_unlisted`: read the
   * library again.
   *
   * The iterator ends with its loop. `signal` ends it too, and makes it throw the signal's reason.
   *
   * @param options.since - The `new_state` of an earlier entry or list. The default is the current state.
   * @throws {RefusedError} The server refuses the request, for example because it has no extension `changes`. The
   *   iterator goes on after a `ConnectionError` and after a status of 429 or above 499.
   */
  watch(options: WatchChangesOptions = {}): AsyncGenerator<LibraryChanges, void> {
    return watchChanges((call) => this.list(call), this.#events, options)
  }
}
