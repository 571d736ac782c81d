import { coreMetadataNode } from './core-metadata.ts'
import { lookUpNodes } from './look-up.ts'
import { mergeMetadataNode, metadataItemNode, metadataNode } from './make-metadata.ts'
import { metadataFieldExtractorNode, metadataFromImageNode } from './read-image-metadata.ts'

/** What notes down what an image was made with, and reads it. */
export const metadataNodes = [
  metadataItemNode,
  metadataNode,
  coreMetadataNode,
  mergeMetadataNode,
  metadataFromImageNode,
  metadataFieldExtractorNode,
  ...lookUpNodes,
]
