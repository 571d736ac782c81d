import type { NodeDefinition } from '#server/engine/define-node.ts'
import { onnxImage } from './onnx-image.ts'

/** The nodes that run a model of the models folder. */
export const modelNodes: readonly NodeDefinition[] = [onnxImage]
