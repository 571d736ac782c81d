import type { ImageRecord } from '#contract/image.ts'
import type { NormalMetadata } from '#contract/metadata.ts'
import type { Command } from '#gallery/ui/menu.tsx'

/** The state and callbacks of the viewer that its commands need. */
export interface ViewerContext {
  readonly hasQueue: boolean
  /** `undefined` while it is not loaded. */
  readonly metadata: NormalMetadata | null | undefined
  /** Images whose metadata is fetched in the same request. */
  readonly together: readonly string[]
  readonly onDetails: () => void
  /** Shows the next image, then removes this one. */
  readonly onRemove: (remove: () => void) => void
}

/** The actions that the page provides to the viewer. */
export interface LightboxActions {
  /** Returns the commands for an image. The toolbar, the menus and the shortcuts use them. */
  commandsOf: (image: ImageRecord, context: ViewerContext) => readonly Command[]
}
