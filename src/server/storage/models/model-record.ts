import { basename, extname } from 'node:path'
import { v5 as uuidOf } from 'uuid'
import type { ModelRecord } from '#contract/models/model.ts'
import { type ModelHeader, untold } from './model-header.ts'
import type { ReadModel } from './model-worker.ts'

/** What keys are made from, beside the path of the file. */
const KEYS = '5f0c5f0e-5a0e-4c39-9d0e-0b6f6f0a4a51'

/** How a file that cannot be read is listed. */
const brokenKinds: Readonly<Record<string, Pick<ModelHeader, 'type' | 'format'>>> = {
  '.onnx': { type: 'onnx', format: 'onnx' },
  '.gguf': { type: untold.type, format: 'gguf_quantized' },
  '.safetensors': { type: untold.type, format: 'checkpoint' },
}

/** Whether a file is among those that are listed, by its name. */
export const isModelName = (path: string): boolean => extensionOf(path) in brokenKinds

const extensionOf = (path: string): string => extname(path).toLowerCase()

/** The key of a model. The same file below the same folder always has the same. */
export const modelKeyOf = (relativePath: string): string => uuidOf(relativePath, KEYS)

/**
 * A model as it travels.
 *
 * @param relativePath - Below the folder, with `/` between its parts.
 */
export function modelRecordOf(relativePath: string, read: ReadModel, hash: string): ModelRecord {
  const extension = extensionOf(relativePath)
  const { format, type } = brokenKinds[extension] ?? { format: 'checkpoint', type: untold.type }
  return {
    key: modelKeyOf(relativePath),
    hash,
    path: relativePath,
    file_size: read.size,
    name: basename(relativePath).slice(0, -extension.length),
    source: relativePath,
    source_type: 'path',
    source_api_response: null,
    source_url: null,
    cover_image: null,
    fault: read.fault,
    ...(read.header ?? { base: untold.base, type, format, description: read.fault }),
  }
}
