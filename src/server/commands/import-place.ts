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
import { DatabaseHeldError } from '#server/core/upkeep/library-state.ts'
import { DataFolderHeldError } from '#server/start/data-folder-lock.ts'
import { StartError } from '#server/start/start-error.ts'
import type { ImportSettings } from './import-settings.ts'

/** Timeout of requests to a running server. A busy server answers well before. */
const ANSWERS_WITHIN_MS = 60_000

/** Runs an import in this process, or in the server that holds the data folder. */
export interface ImportPlace {
  /** Address of the server, for the user; null: this process runs the import. */
  readonly address: string | null
  start(request: ImportRequest): Promise<Import>
  get(importId: string): Promise<Import>
  cancel(importId: string): Promise<Import>
  /**
   * Reports refused files that were not reported yet: a server reports them only at the end.
   *
   * @returns The number of reported files, because a server stores a limited number.
   */
  reportRefusals(done: Import): Promise<number>
  close(): Promise<void>
}

/**
 * Opens the library in this process, or connects to the running server that holds it.
 *
 * @param onRefusal - Called for each refused file; with a server, only by `reportRefusals`.
 * @throws {StartError} Neither is possible.
 */
export async function openImportPlace(
  settings: ImportSettings,
  onRefusal: (refusal: ImportRefusal) => void,
): Promise<ImportPlace> {
  try {
    return await openHere(settings, onRefusal)
  } catch (error) {
    if (error instanceof StartError && error.cause instanceof DatabaseHeldError) {
      throw new StartError(
        `${error.message} Stop it, or import on its machine: through its page, or with its --data instead of --database.`,
      )
    }
    if (!(error instanceof DataFolderHeldError) || error.address === null) throw error
    return openThere(error.address, settings.token, onRefusal)
  }
}

async function openHere(
  { dataFolder, engines, maxUploadBytes, maxVideoBytes, maxPixels }: ImportSettings,
  onRefusal: (refusal: ImportRefusal) => void,
): Promise<ImportPlace> {
  const { createServer } = await import('#server/app.ts')
  const logger = pino({ level: 'warn' }, pretty({ destination: 2, sync: true }))
  const limits = { maxUploadBytes, maxVideoBytes, maxPixels }
  const options = { dataFolder, ...engines, ...limits, runsQueue: false, logger }
  const { imports, close } = await createServer(options)
  return {
    address: null,
    start: (request) => asStartError(imports.start(request, { onRefusal })),
    get: async (importId) => imports.get(importId),
    cancel: (importId) => imports.cancel(importId),
    reportRefusals: async ({ refused }) => refused,
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
  const reportRefusals = async ({ import_id }: Import) => {
    for (let reported = 0; ; ) {
      const url = `${urlOf(listImportRefusals, import_id)}?offset=${reported}`
      const { items } = (await ask(url, 'GET', token)) as ImportRefusalPage
      if (items.length === 0) return reported
      for (const refusal of items) onRefusal(refusal)
      reported += items.length
    }
  }
  return {
    address,
    start: (request) => send(startImport, '', request),
    get: (importId) => send(getImport, importId),
    cancel: (importId) => send(cancelImport, importId),
    reportRefusals,
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
    const message = `The running Tessera does not answer at ${new URL(url).origin}. Run this again.`
    throw new StartError(message, 1, { cause })
  })
  const answer: unknown = await response.json().catch(() => null)
  if (response.ok) return answer
  if (response.status === 401) {
    throw new StartError('The running Tessera requires its token. Add --token.', 2)
  }
  const { detail } = (answer ?? {}) as { detail?: unknown }
  const message = typeof detail === 'string' ? detail : `It answered ${response.status}.`
  throw new StartError(message, response.status < 500 ? 2 : 1)
}
