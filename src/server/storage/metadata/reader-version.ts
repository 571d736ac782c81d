/**
 * The version of the readers of metadata, stored with each image. Raise it when a reader finds more than before, so that
 * images of earlier versions are read again. Images without a version were read before this number existed.
 */
export const READER_VERSION = 3
