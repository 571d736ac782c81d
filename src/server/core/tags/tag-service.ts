import type { TaggedImagesResult } from '#contract/image.ts'
import {
  MAX_NAMES_PER_REQUEST,
  MAX_TAGGINGS_PER_REQUEST,
  MAX_TAGS,
  TAG_UNDO_DAYS,
} from '#contract/limits.ts'
import { tagNameIn } from '#contract/search/tag-names.ts'
import type { TagChange, TagChanges, TagList } from '#contract/search/tags.ts'
import { renderTimestamp } from '#server/core/clock.ts'
import { assertNamesFit } from '#server/core/images/image-ports.ts'
import { orRefuse, Refusal } from '#server/core/refusal.ts'
import type { NewTagChange, TagRecords } from './tag-ports.ts'

const DAY_MS = 24 * 3_600_000

interface Parts {
  records: TagRecords
  newId: () => string
}

/** Tags, which all clients share. */
export class TagService {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async list(): Promise<TagList> {
    const tags = await this.#parts.records.list()
    return { tags: tags.map((tag) => ({ ...tag, used_at: renderTimestamp(tag.used_at) })) }
  }

  /** @throws {Refusal} `invalid_tag`, `too_many_names`, `too_many_tags`. Unknown names are skipped. */
  async apply(
    imageNames: readonly string[],
    { add = [], remove = [] }: { add?: readonly string[]; remove?: readonly string[] },
  ): Promise<TaggedImagesResult> {
    assertNamesFit(imageNames)
    const tags = { add: add.map(named), remove: remove.map(named) }
    const most = Math.floor(
      MAX_TAGGINGS_PER_REQUEST / Math.max(1, tags.add.length + tags.remove.length),
    )
    if (imageNames.length > Math.min(most, MAX_NAMES_PER_REQUEST))
      throw new Refusal('too_many_names', `At most ${most} names fit with so many tags.`)
    const result = await this.#parts.records.apply(imageNames, tags, { maxTags: MAX_TAGS })
    if (result === 'too_many_tags') throw new Refusal(result)
    return result
  }

  /** @throws {Refusal} `invalid_tag`, `tag_not_found`, `too_many_tags`. Nothing was changed. */
  async update({ name, new_name, color }: TagChanges): Promise<TagChange> {
    const newName = new_name === undefined ? undefined : named(new_name)
    const changes = { newName, color }
    const change = { ...this.#newChange(), maxTags: MAX_TAGS }
    const changed = await this.#parts.records.update(named(name), changes, change)
    if (changed === 'invalid_tag')
      throw new Refusal(changed, 'The name of a tag below it would be too long.')
    if (changed === 'too_many_tags') throw new Refusal(changed)
    return orRefuse(changed, 'tag_not_found')
  }

  /** @throws {Refusal} `invalid_tag`, `tag_not_found` */
  async delete(name: string): Promise<TagChange> {
    const removed = await this.#parts.records.remove(named(name), this.#newChange())
    return orRefuse(removed, 'tag_not_found')
  }

  /** @throws {Refusal} `tag_change_not_found` */
  async restore(changeId: string): Promise<{ tags: number }> {
    const tags = orRefuse(await this.#parts.records.restore(changeId), 'tag_change_not_found')
    return { tags }
  }

  #newChange(): NewTagChange {
    return { changeId: this.#parts.newId(), keptMs: TAG_UNDO_DAYS * DAY_MS }
  }
}

/** @throws {Refusal} `invalid_tag` */
const named = (text: string): string => orRefuse(tagNameIn(text), 'invalid_tag')
