import { pino } from 'pino'
import pretty from 'pino-pretty'
import type { Import, ImportRefusal, ImportRequest } from '#contract/import.ts'
import { cancelImport, getImport, startImport } from '#contract/import-operations.ts'
import { type Operation, pathOf } from '#contract/operation.ts'
import { Refusal } from '#server/core/refusal.ts'
import { DataFolderHeldError } from '#server/data-folder-held-error.ts'
import { StartError } from '#server/start-error.ts'
import type { ImportSettings } from './import-settings.ts'

/** Where an import is done: in this process, or by the server that has the data folder. */
export interface ImportPlace {
  /** Told of a server, for people; null: it is done here. */
  readonly address: string | null
  start(request: ImportRequest): Promise<Import>
  get(importId: string): Promise<Import>
  cancel(importId: string): Promise<Import>
  close(): Promise<void>
}

/**
 * Opens the library here, or, where a running server has it, a way to that server.
 *
 * @param onRefusal - Told of each refused file; a server tells only of the first 1,000, in what `get` answers.
 * @throws {StartError} Neither can be had.
 */
export async function openImportPlace(
  settings: ImportSettings,
  onRefusal: (refusal: ImportRefusal) => void,
): Promise<ImportPlace> {
  try {
    return await openHere(settings, onRefusal)
  } catch (error) {
    if (!(error instanceof DataFolderHeldError) || error.address === null) throw error
    return openThere(error.address, settings.token)
  }
}

async function openHere(
  { dataFolder, maxUploadBytes, maxPixels }: ImportSettings,
  onRefusal: (refusal: ImportRefusal) => void,
): Promise<ImportPlace> {
  const { createServer } = await import('#server/app.ts')
  const logger = pino({ level: 'warn' }, pretty({ destination: 2, sync: true }))
  const options = { dataFolder, maxUploadBytes, maxPixels, runsQueue: false, logger }
  const { imports, close } = await createServer(options)
  return {
    address: null,
    start: (request) => asStartError(imports.start(request, { onRefusal })),
    get: async (importId) => imports.get(importId),
    cancel: (importId) => imports.cancel(importId),
    close,
  }
}

const asStartError = (work: Promise<Import>): Promise<Import> =>
  work.catch((error: unknown) => {
    throw error instanceof Refusal ? new StartError(error.message, 2) : error
  })

function openThere(address: string, token: string | null): ImportPlace {
  const send = (operation: Operation, importId = '', body?: ImportRequest) =>
    ask(`${address}${pathOf(operation, { import_id: importId })}`, operation.method, token, body)
  return {
    address,
    start: (request) => send(startImport, '', request),
    get: (importId) => send(getImport, importId),
    cancel: (importId) => send(cancelImport, importId),
    close: async () => {},
  }
}

async function ask(
  url: string,
  method: string,
  token: string | null,
  body: ImportRequest | undefined,
): Promise<Import> {
  const headers = {
    ...(token !== null && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  const sent = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
  const response = await fetch(url, sent).catch((cause: unknown) => {
    const said = `The running Tessera does not answer at ${new URL(url).origin}. Run this again.`
    throw new StartError(said, 1, { cause })
  })
  const answer: unknown = await response.json().catch(() => null)
  if (response.ok) return answer as Import
  if (response.status === 401) {
    throw new StartError('The running Tessera wants its token: give it with --token.', 2)
  }
  const { detail } = (answer ?? {}) as { detail?: unknown }
  const said = typeof detail === 'string' ? detail : `It answered ${response.status}.`
  throw new StartError(said, response.status < 500 ? 2 : 1)
}
