import type { TSchema } from 'typebox'
import type { NodeDefinition } from '#server/engine/define-node.ts'
import { arithmeticNodes } from './arithmetic/index.ts'
import { collectionNodes } from './collections.ts'
import { constantNodes } from './constants.ts'
import { logicNodes } from './logic.ts'
import { maskNodes } from './masks/index.ts'
import { matchingNodes } from './matching/index.ts'
import { metadataNodes } from './metadata/index.ts'
import { modelNodes } from './models/index.ts'
import { schemasOf } from './node-schemas.ts'
import { pictureNodes } from './pictures/index.ts'
import { stringNodes } from './strings/index.ts'
import { tileNodes } from './tiles/index.ts'

const families: readonly (readonly NodeDefinition[])[] = [
  constantNodes,
  arithmeticNodes,
  collectionNodes,
  logicNodes,
  stringNodes,
  metadataNodes,
  pictureNodes,
  maskNodes,
  matchingNodes,
  tileNodes,
  modelNodes,
]

/** Every type of node that the server runs, by its name. */
export const nodeCatalog: ReadonlyMap<string, NodeDefinition> = new Map(
  families.flat().map((definition) => [definition.type, definition]),
)

/** What each of them takes and gives, as the interface description shows it. */
export const nodeSchemas = (): Record<string, TSchema> => schemasOf(nodeCatalog.values())
