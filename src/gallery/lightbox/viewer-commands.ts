import type { ImageRecord } from '#contract/image.ts'
import type { NormalMetadata } from '#contract/metadata.ts'
import type { Command } from '#gallery/ui/menu.tsx'

/** The state and callbacks of the viewer that its commands need. */
interface ViewerContext {
  readonly hasQueue: boolean
  /** `undefined` while it is not loaded. */
  readonly metadata: NormalMetadata | null | undefined
  /** Images whose metadata is fetched in the same request. */
  readonly together: readonly string[]
  readonly onDetails: () => void
  /** Shows the next image, because this one disappears. */
  readonly onRemove: () => void
}

/** Returns the commands for an image. The toolbar, the menus and the shortcuts use them. */
export type ViewerCommands = (image: ImageRecord, context: ViewerContext) => readonly Command[]
