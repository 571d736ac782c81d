import { basename } from 'node:path'
import type { ModelFile } from '#server/core/models/model-ports.ts'

/** Describes an ONNX model file as the models folder would list it. */
export const modelFile = (path: string, bytes: number, modifiedMs = 0): ModelFile => ({
  path,
  memoryBytes: bytes,
  createdMs: 0,
  modifiedMs,
  record: {
    key: path,
    hash: 'blake3:pending',
    path: basename(path),
    file_size: bytes,
    name: basename(path, '.onnx'),
    description: '',
    source: basename(path),
    source_type: 'path',
    source_api_response: null,
    source_url: null,
    cover_image: null,
    base: 'any',
    type: 'onnx',
    format: 'onnx',
    fault: null,
  },
})
