import type {
  DismissedGroup,
  DuplicatesPage,
  ResolvedGroup,
  ResolveResult,
  UnresolveResult,
} from '#contract/likeness/duplicates.ts'
import type { View } from '#server/core/images/image-ports.ts'
import type { Likeness, Pictures } from './group-alike.ts'

/** Groups of ids in a row: the number of ids, then the ids, group after group. */
export type IdGroups = Uint32Array

export interface DuplicateRecords {
  /** Returns the images and videos outside the trash that have the same bytes, without intermediate ones. */
  sameBytes(): Promise<IdGroups>
  /** Returns the fingerprints of all images and videos outside the trash, in the order of their ids. */
  pictures(): Promise<Pictures>
  /** Returns groups with at least two images of a view, except dismissed ones, by bytes to gain. */
  page(
    view: View,
    groups: IdGroups,
    window: { offset: number; limit: number },
  ): Promise<Omit<DuplicatesPage, 'offset' | 'limit' | 'progress'>>
  /**
   * Gives the kept image of each group the star, the best rating and the tags of the others, and moves these to the trash.
   * A group with a known `resolve_id` is left as it is, and its first answer is repeated, without affected boards. The IDs
   * must be different.
   */
  resolve(groups: readonly ResolvedGroup[]): Promise<ResolveResult>
  /** Undoes and forgets resolutions. Unknown ones are ignored. */
  unresolve(resolveIds: readonly string[]): Promise<UnresolveResult>
  /** Remembers sets of images that are not duplicates of each other. */
  dismiss(groups: readonly DismissedGroup[]): Promise<void>
  /** Forgets such sets. Unknown ones are ignored. */
  undismiss(groups: readonly DismissedGroup[]): Promise<void>
}

/** A comparison of all pictures. */
export interface Grouping {
  /** null: it was canceled. */
  readonly groups: Promise<IdGroups | null>
  progress(): { done: number; total: number }
  cancel(): void
}

/** Compares pictures outside the event loop, one comparison after the other. */
export interface PictureGrouper {
  /**
   * Groups pictures that are alike, and those with the same bytes. Remembers the last groups, so that only changed
   * pictures are compared next time. Takes over the arrays.
   */
  group(pictures: Pictures, sameBytes: IdGroups, likeness: Likeness): Grouping
  close(): Promise<void>
}
