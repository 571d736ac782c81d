/**
 * The version of the readers of metadata, stored with each image. Raise it when a reader finds more than before, so that
 * images of earlier versions are read again. Images without a version were read before this number existed.
 */
export const READER_VERSION = 5

/**
 * Images of this version have the metadata of version 5, but no properties for searches. They follow from the metadata,
 * so that no file is read again.
 */
export const VERSION_WITHOUT_PROPERTIES = 3

/**
 * Images of this version have the metadata of version 5, but no fingerprint. It follows from the thumbnail, so that no
 * original is read again.
 */
export const VERSION_WITHOUT_FINGERPRINT = 4
