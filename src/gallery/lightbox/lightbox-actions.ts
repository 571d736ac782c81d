import type { ImageRecord } from '#contract/image.ts'
import type { NormalMetadata } from '#contract/metadata.ts'
import type { Command } from '#gallery/ui/menu.tsx'

/** What the viewer does itself, and what it knows about its image. */
export interface ViewerContext {
  readonly hasQueue: boolean
  /** `undefined` while it is not known. */
  readonly metadata: NormalMetadata | null | undefined
  /** Images whose metadata is read in the same request. */
  readonly together: readonly string[]
  readonly onDetails: () => void
  /** Shows the next image, then removes this one. */
  readonly onRemove: (remove: () => void) => void
}

/** What the page does with the image that the viewer shows. */
export interface LightboxActions {
  /** The commands for an image: for the toolbar, the menus and the keys. */
  commandsOf: (image: ImageRecord, context: ViewerContext) => readonly Command[]
}
