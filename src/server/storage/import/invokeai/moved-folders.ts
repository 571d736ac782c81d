import { open, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseDocument } from 'yaml'

/** Far more than InvokeAI writes. A larger file is not from InvokeAI and would take long to parse. */
const MAX_BYTES = 64 * 1024

/** The library folders set in `invokeai.yaml`. Absolute; null: the default. */
export interface MovedFolders {
  databases: string | null
  outputs: string | null
}

/**
 * Reads `db_dir` and `outputs_dir`. Until InvokeAI 4.0 they were nested below `InvokeAI`, the second one as `outdir`.
 * Relative paths start at the root. Broken files and values of other types are ignored.
 *
 * @param root - Absolute.
 */
export const readMovedFolders = async (root: string): Promise<MovedFolders> => {
  const settings = settingsIn(await textOf(join(root, 'invokeai.yaml')))
  const folder = (...names: string[]) => {
    const path = names.map((name) => settings[name]).find((value) => typeof value === 'string')
    return path ? resolve(root, path) : null
  }
  return { databases: folder('db_dir'), outputs: folder('outputs_dir', 'outdir') }
}

/** Returns an empty text if the file is missing or too large. */
const textOf = async (path: string): Promise<string> => {
  try {
    // Must be checked before opening: opening a pipe would wait for a writer.
    if (!(await stat(path)).isFile()) return ''
    await using file = await open(path)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_BYTES + 1))
    return bytesRead > MAX_BYTES ? '' : buffer.toString('utf8', 0, bytesRead)
  } catch {
    return ''
  }
}

/** Returns the top-level settings, or, until 4.0, those nested below `InvokeAI`. */
const settingsIn = (yaml: string): Record<string, unknown> => {
  const top = mappingIn(yaml)
  const headings = isMapping(top.InvokeAI) ? Object.values(top.InvokeAI).filter(isMapping) : [top]
  return Object.assign({}, ...headings)
}

/** As InvokeAI parses. Pretty errors are off, because many of them take seconds. */
const asInvokeai = {
  version: '1.1',
  uniqueKeys: false,
  logLevel: 'error',
  prettyErrors: false,
} as const

/** A few nested aliases can expand to a list of millions. */
const withoutAliases = { maxAliasCount: 0 }

const mappingIn = (yaml: string): Record<string, unknown> => {
  try {
    const document = parseDocument(yaml, asInvokeai)
    const value: unknown = document.errors.length > 0 ? null : document.toJS(withoutAliases)
    return isMapping(value) ? value : {}
  } catch {
    return {}
  }
}

const isMapping = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
