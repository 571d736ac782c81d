import type { TaggedImagesResult } from '#contract/image.ts'
import type { Tag, TagChange, TagColor } from '#contract/search/tags.ts'

/** A tag. `used_at` is in milliseconds since 1970. */
export interface StoredTag extends Omit<Tag, 'used_at'> {
  used_at: number
}

/** Tags of images and videos. Names must be valid (`tagNameIn`). */
export interface TagRecords {
  /** Lists the tags that images outside the trash have, and those with a color, in the order of their names. */
  list(): Promise<StoredTag[]>
  /** Skips unknown names and the trash. A tag in both lists is only added. Refuses, without a change, more than `maxTags`. */
  apply(
    imageNames: readonly string[],
    tags: { add: readonly string[]; remove: readonly string[] },
    bounds: { maxTags: number },
  ): Promise<TaggedImagesResult | 'too_many_tags'>
  /**
   * Renames a tag with all levels below it, or sets its color. A tag is merged with another one that has its new name.
   *
   * @returns null: there is no such tag. `invalid_tag`: the name of a level below would be too long. `too_many_tags`: a
   *   tag would have to be added for the color. Nothing was changed.
   */
  update(
    name: string,
    changes: { newName?: string | undefined; color?: TagColor | null | undefined },
    change: NewTagChange & { maxTags: number },
  ): Promise<TagChange | null | 'invalid_tag' | 'too_many_tags'>
  /** Deletes a tag with all levels below it. Returns null if there is no such tag. */
  remove(name: string, change: NewTagChange): Promise<TagChange | null>
  /** Undoes a change. Returns the number of changed tags, or null if the change is not known any more. */
  restore(changeId: string): Promise<number | null>
}

export interface NewTagChange {
  /** Not used before. */
  changeId: string
  /** Changes before this time are forgotten, with the tags that they deleted. In milliseconds. */
  keptMs: number
}
