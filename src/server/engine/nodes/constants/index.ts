import { boundingBoxNode } from './bounding-box.ts'
import { colorNode } from './color.ts'
import { imageNode, showImageNode } from './image.ts'
import { imageCollectionNode } from './image-collection.ts'
import {
  booleanCollectionNode,
  floatCollectionNode,
  integerCollectionNode,
  stringCollectionNode,
} from './lists.ts'
import { booleanNode, floatNode, integerNode, stringNode } from './values.ts'

/** What hands on what stands in it. */
export const constantNodes = [
  booleanNode,
  integerNode,
  floatNode,
  stringNode,
  booleanCollectionNode,
  integerCollectionNode,
  floatCollectionNode,
  stringCollectionNode,
  imageNode,
  imageCollectionNode,
  showImageNode,
  colorNode,
  boundingBoxNode,
]
