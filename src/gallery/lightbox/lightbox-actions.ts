import type { ImageRecord } from '#contract/image.ts'

/** What the page does with the image that the lightbox shows. */
export interface LightboxActions {
  onStar: (image: ImageRecord, isStarred: boolean) => void
  /** Asks for a board. */
  onMove: (image: ImageRecord) => void
  /** Asks for a board. Only where the server has a queue. */
  onCopy: (image: ImageRecord) => void
  /** Asks for the steps. Only where the server has a queue. */
  onProcess: (image: ImageRecord) => void
  onDownload: (image: ImageRecord) => void
  /** The lightbox has gone on to the next image by then. */
  onDelete: (image: ImageRecord) => void
}
