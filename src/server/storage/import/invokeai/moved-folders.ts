import { open, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseDocument } from 'yaml'

/** Far more than InvokeAI writes; what is larger is not its file, and would be long in reading. */
const MAX_BYTES = 64 * 1024

/** Where `invokeai.yaml` says that an InvokeAI keeps its library. Absolute; null: where it usually does. */
export interface MovedFolders {
  databases: string | null
  outputs: string | null
}

/**
 * Reads of an `invokeai.yaml` what moves the library: `db_dir` and `outputs_dir`, which stood below a heading
 * of `InvokeAI` until 4.0, the second as `outdir`. Relative paths begin at the root. A file that is broken, or
 * says anything else there, says nothing, and the rest of it is not looked at.
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

/** Empty where there is no file, or one that is too large. */
const textOf = async (path: string): Promise<string> => {
  try {
    // Before it is opened: opening a pipe would wait for somebody to write.
    if (!(await stat(path)).isFile()) return ''
    const file = await open(path)
    const { buffer, bytesRead } = await file
      .read(Buffer.alloc(MAX_BYTES + 1))
      .finally(() => file.close())
    return bytesRead > MAX_BYTES ? '' : buffer.toString('utf8', 0, bytesRead)
  } catch {
    return ''
  }
}

/** What stands at the top, or, until 4.0, below the headings of `InvokeAI`. */
const settingsIn = (yaml: string): Record<string, unknown> => {
  const top = mappingIn(yaml)
  const headings = isMapping(top.InvokeAI) ? Object.values(top.InvokeAI).filter(isMapping) : [top]
  return Object.assign({}, ...headings)
}

/** Its reader takes version 1.1 and lets a name stand twice. Pretty errors nobody sees, and many take seconds. */
const asInvokeai = {
  version: '1.1',
  uniqueKeys: false,
  logLevel: 'error',
  prettyErrors: false,
} as const

/** A few of them in one another make a list of millions. */
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
