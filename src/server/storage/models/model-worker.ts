import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs'
import { extname } from 'node:path'
import { createBLAKE3 } from 'hash-wasm'
import { BrokenModel } from './broken-model.ts'
import type { ModelHeader } from './model-header.ts'
import { PartReader } from './part-reader.ts'
import { readGguf } from './read-gguf.ts'
import { type ReadOnnx, readOnnx } from './read-onnx.ts'
import { readSafetensors } from './read-safetensors.ts'

/** The state of a file for which something was read. */
export interface FileState {
  size: number
  /** In milliseconds since 1970. */
  modifiedMs: number
}

/** What was read of a file: its header, or what is wrong with it. */
export type ReadModel = FileState & { createdMs: number } & (
    | { header: ModelHeader; fault: null; outsideBytes: number }
    | { header: null; fault: string }
  )

/** The hash of a file in the state in which it was read. */
export type HashedModel = FileState & { hash: string }

/** One file is hashed at a time, so that all share these. */
const block = Buffer.alloc(4 * 1024 * 1024)
const hashing = createBLAKE3()

/** Reads a header. null: there is no such file any more, or it is none. */
export const readModel = (path: string): Promise<ReadModel | null> =>
  withFile(path, async (file, stats) => {
    const state = { ...stateOf(stats), createdMs: stats.birthtimeMs }
    try {
      const read = await headerOf(path, new PartReader(file, stats.size))
      return { ...state, ...read, fault: null }
    } catch (error) {
      if (error instanceof BrokenModel) return { ...state, header: null, fault: error.message }
      throw error
    }
  })

/** InvokeAI's hash of a single file: BLAKE3 over its bytes. null: there is no such file any more. */
export const hashModel = (path: string): Promise<HashedModel | null> =>
  withFile(path, async (file, stats) => {
    const hasher = await hashing
    hasher.init()
    for (let read = -1; read !== 0; ) {
      read = readSync(file, block)
      hasher.update(block.subarray(0, read))
    }
    return { ...stateOf(stats), hash: `blake3:${hasher.digest('hex')}` }
  })

const headerOf = async (path: string, file: PartReader): Promise<ReadOnnx> => {
  if (file.size === 0) throw new BrokenModel('The file is empty.')
  const extension = extname(path).toLowerCase()
  if (extension === '.onnx') return readOnnx(file)
  const header = extension === '.gguf' ? await readGguf(path, file) : readSafetensors(file)
  return { header, outsideBytes: 0 }
}

const stateOf = (stats: { size: number; mtimeMs: number }): FileState => ({
  size: stats.size,
  modifiedMs: stats.mtimeMs,
})

async function withFile<T>(
  path: string,
  read: (file: number, stats: Stats) => Promise<T>,
): Promise<T | null> {
  const file = openIfThere(path)
  if (file === null) return null
  try {
    const stats = fstatSync(file)
    return stats.isFile() ? await read(file, stats) : null
  } finally {
    closeSync(file)
  }
}

/** A link is not followed: it could lead out of the folder. A pipe is not waited for. */
function openIfThere(path: string): number | null {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
  try {
    return openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'ENOENT' || code === 'ELOOP') return null
    throw error
  }
}
