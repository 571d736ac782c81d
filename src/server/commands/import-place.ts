import { pino } from 'pino'
import pretty from 'pino-pretty'
import type { Import, ImportRefusal, ImportRefusalPage, ImportRequest } from '#contract/import.ts'
import {
  cancelImport,
  getImport,
  listImportRefusals,
  startImport,
} from '#contract/import-operations.ts'
import { type Operation, pathOf } from '#contract/operation.ts'
import { Refusal } from '#server/core/refusal.ts'
import { DataFolderHeldError } from '#server/start/data-folder-lock.ts'
import { StartError } from '#server/start/start-error.ts'
import type { ImportSettings } from './import-settings.ts'

/** A server that is busy answers well before; one that hangs never does. */
const ANSWERS_WITHIN_MS = 60_000

/** Where an import is done: in this process, or by the server that has the data folder. */
export interface ImportPlace {
  /** Told of a server, for people; null: it is done here. */
  readonly address: string | null
  start(request: ImportRequest): Promise<Import>
  get(importId: string): Promise<Import>
  cancel(importId: string): Promise<Import>
  /**
   * Tells of the refused files that have not been told yet: a server tells of them at the end.
   *
   * @returns How many have been told of: a server keeps only so many.
   */
  tellRefusals(done: Import): Promise<number>
  close(): Promise<void>
}

/**
 * Opens the library here, or, where a running server has it, a way to that server.
 *
 * @param onRefusal - Told of each refused file; of those of a server by `tellRefusals`.
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
    return openThere(error.address, settings.token, onRefusal)
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
    tellRefusals: async ({ refused }) => refused,
    close,
  }
}

const asStartError = (work: Promise<Import>): Promise<Import> =>
  work.catch((error: unknown) => {
    throw error instanceof Refusal ? new StartError(error.message, 2) : error
  })

function openThere(
  address: string,
  token: string | null,
  onRefusal: (refusal: ImportRefusal) => void,
): ImportPlace {
  const urlOf = (operation: Operation, importId: string) =>
    `${address}${pathOf(operation, { import_id: importId })}`
  const send = async (operation: Operation, importId = '', body?: ImportRequest) =>
    (await ask(urlOf(operation, importId), operation.method, token, body)) as Import
  const tellRefusals = async ({ import_id }: Import) => {
    for (let told = 0; ; ) {
      const url = `${urlOf(listImportRefusals, import_id)}?offset=${told}`
      const { items } = (await ask(url, 'GET', token)) as ImportRefusalPage
      if (items.length === 0) return told
      for (const refusal of items) onRefusal(refusal)
      told += items.length
    }
  }
  return {
    address,
    start: (request) => send(startImport, '', request),
    get: (importId) => send(getImport, importId),
    cancel: (importId) => send(cancelImport, importId),
    tellRefusals,
    close: async () => {},
  }
}

async function ask(
  url: string,
  method: string,
  token: string | null,
  body?: ImportRequest,
): Promise<unknown> {
  const headers = {
    ...(token !== null && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  const sent = {
    ...{ method, headers, signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }
  const response = await fetch(url, sent).catch((cause: unknown) => {
    const said = `The running Tessera does not answer at ${new URL(url).origin}. Run this again.`
    throw new StartError(said, 1, { cause })
  })
  const answer: unknown = await response.json().catch(() => null)
  if (response.ok) return answer
  if (response.status === 401) {
    throw new StartError('The running Tessera requires its token. Add --token.', 2)
  }
  const { detail } = (answer ?? {}) as { detail?: unknown }
  const said = typeof detail === 'string' ? detail : `It answered ${response.status}.`
  throw new StartError(said, response.status < 500 ? 2 : 1)
}
