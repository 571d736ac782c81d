import { closeSync, openSync, writeSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Import, ImportRefusal } from '#contract/import.ts'
import { StartError } from '#server/start/start-error.ts'
import { setUmaskFor } from '#server/storage/disk/make-folder.ts'
import { count, progressWriter, STOPPED, say, stopOnSignals } from './command-line.ts'
import { progressLine, summaryLines } from './import-lines.ts'
import { type ImportPlace, openImportPlace } from './import-place.ts'
import { readImportSettings } from './import-settings.ts'

export async function runImport(args: readonly string[]): Promise<number> {
  const settings = readImportSettings(args)
  const { reportFile, request } = settings
  const report = reportFile === null ? null : openImportReport(reportFile)
  setUmaskFor(settings.dataFolder) // after opening the report, which is not part of the library
  const stop = stopOnSignals()
  const place = await openImportPlace(settings, (refusal) => report?.add(refusal))
  try {
    const started = await place.start(request)
    say(introOf(started, place))
    const result = await followImport(place, started, stop)
    const { done } = result
    const reported = report === null ? done.refused : await place.reportRefusals(done)
    say(...summaryLines(done), ...reportLines(done, reported), ...endLines(result))
    return exitCodeOf(result)
  } finally {
    await place.close()
    report?.close()
  }
}

const kinds: Readonly<Record<Import['source'], string>> = {
  folder: 'a folder of images and videos',
  invokeai: 'an InvokeAI folder',
  export: 'what Tessera exported',
}

const introOf = ({ folder, source, dry_run }: Import, { address }: ImportPlace): string => {
  const what = `${dry_run ? 'Checking' : 'Importing'} ${folder}, ${kinds[source]}`
  return address === null ? what : `${what}, through the Tessera that runs at ${address}`
}

const reportLines = ({ refused }: Import, reported: number): string[] =>
  reported < refused
    ? [`The report names the first ${count(reported)} of ${count(refused)} refused files.`]
    : []

const endLines = ({ done, hasSeenAll }: ImportResult): string[] => {
  if (done.error !== null) {
    const goesOn = isStuck(done) || done.state === 'canceled'
    return [
      `The import stopped early: ${done.error}${goesOn ? ' Run the same command again to continue.' : ''}`,
    ]
  }
  if (done.state !== 'canceled' || hasSeenAll) return []
  return [
    'Stopped. Run the same command again to continue. Files that are already imported are not read again.',
  ]
}

const exitCodeOf = ({ done, hasSeenAll }: ImportResult): number => {
  if (done.state === 'failed' || done.error !== null) return 1
  if (done.state === 'canceled' && !hasSeenAll) return STOPPED
  return done.refused > 0 ? 1 : 0
}

/**
 * Opens a file for one line of JSON per refused file.
 *
 * @throws {StartError} The file cannot be written.
 */
function openImportReport(path: string) {
  try {
    const file = openSync(path, 'w')
    return {
      // Written at once, so that an interrupted run has reported all refusals until then.
      add: (refusal: ImportRefusal) => writeSync(file, `${JSON.stringify(refusal)}\n`),
      close: () => closeSync(file),
    }
  } catch (cause) {
    throw new StartError(`The report ${path} cannot be written.`, 2, { cause })
  }
}

/** Interval of redrawing the progress line. */
const DRAWN_MS = 250

/** True if an import has ended or is paused by an error, which a user of a command line cannot resume. */
const isOver = ({ state, error }: Import): boolean =>
  state === 'completed' || state === 'failed' || state === 'canceled' || isStuck({ state, error })

/** True if the import paused itself because of a disk error, such as a full disk. */
const isStuck = ({ state, error }: Pick<Import, 'state' | 'error'>): boolean =>
  state === 'paused' && error !== null

interface ImportResult {
  done: Import
  /** True if all existing files were imported before the stop, and the import was only watching for new ones. */
  hasSeenAll: boolean
}

/** Shows the progress of an import until it ends. Cancels it if `stop` is aborted or an error pauses the import. */
async function followImport(
  place: ImportPlace,
  started: Import,
  stop: AbortSignal,
): Promise<ImportResult> {
  const line = progressWriter()
  let now = started
  let hasSeenAll = false
  try {
    while (!isOver(now)) {
      line.show(progressLine(now))
      await delay(DRAWN_MS, undefined, { signal: stop }).catch(() => {})
      hasSeenAll ||= now.state === 'watching'
      now = await (stop.aborted ? place.cancel(now.import_id) : place.get(now.import_id))
    }
  } finally {
    line.clear()
  }
  const done = isStuck(now) ? { ...(await place.cancel(now.import_id)), error: now.error } : now
  return { done, hasSeenAll }
}
