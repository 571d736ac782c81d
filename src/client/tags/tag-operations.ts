import { orIfRefused } from '#client/errors.ts'
import type { CallOptions } from '#client/transport/call.ts'
import type { Http } from '#client/transport/http.ts'
import {
  deleteTag,
  listTags,
  restoreTags,
  type Tag,
  type TagChange,
  type TagChanges,
  updateTag,
} from '#contract/search/tags.ts'

/**
 * Requests about tags, which all clients of a server share. They require the extension `tags`. `client.images.tag` gives
 * tags to images and takes them away.
 *
 * @example
 * await client.images.tag(image_names, { add: ['people/anna'] })
 * const { change_id } = await client.tags.update('people', { new_name: 'family' })
 * await client.tags.restore(change_id)
 */
export class TagOperations {
  readonly #http: Http

  /** @internal */
  constructor(http: Http) {
    this.#http = http
  }

  /** Lists the tags that images have, and those with a color, in the order of their names. The list may be empty. */
  async list(options: CallOptions = {}): Promise<Tag[]> {
    return (await this.#http.call(listTags, options)).tags
  }

  /**
   * Renames a tag with all levels below it (`people` and `people/anna`), or sets its color. If a tag has the new name, the
   * two become one.
   *
   * @throws {RefusedError} `tag_not_found`, `invalid_tag`, `too_many_tags`. Nothing was changed.
   */
  update(
    name: string,
    changes: Omit<TagChanges, 'name'>,
    options: CallOptions = {},
  ): Promise<TagChange> {
    return this.#http.call(updateTag, { body: { name, ...changes }, ...options })
  }

  /** Deletes a tag with all levels below it. Its images stay. Returns null if there is no such tag. */
  delete(name: string, options: CallOptions = {}): Promise<TagChange | null> {
    const change = this.#http.call(deleteTag, { body: { name }, ...options })
    return orIfRefused(change, null, 'tag_not_found')
  }

  /**
   * Undoes a change or a deletion of a tag. Images get back the tags that they had.
   *
   * @param changeId - The `change_id` that the change returned. It is known for 30 days, and until it is undone.
   * @returns false: the change is not known any more.
   */
  async restore(changeId: string, options: CallOptions = {}): Promise<boolean> {
    const restored = this.#http.call(restoreTags, { body: { change_id: changeId }, ...options })
    return (await orIfRefused(restored, null, 'tag_change_not_found')) !== null
  }
}
