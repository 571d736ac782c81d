import { closeSync, openSync, writeSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Import, ImportRefusal } from '#contract/import.ts'
import { StartError } from '#server/start/start-error.ts'
import { setUmaskFor } from '#server/storage/disk/make-folder.ts'
import { progressWriter, STOPPED, say, stopOnSignals } from './command-line.ts'
import { count, progressLine, summaryLines } from './import-lines.ts'
import { type ImportPlace, openImportPlace } from './import-place.ts'
import { readImportSettings } from './import-settings.ts'

/**
 * Runs `tessera import FOLDER`.
 *
 * @returns The exit code: 0 all is well, 1 something was refused or failed, 130 stopped.
 * @throws {StartError} Wrong use, or the library cannot be opened.
 */
export async function runImport(args: readonly string[]): Promise<number> {
  const settings = readImportSettings(args)
  if ('text' in settings) {
    process.stdout.write(settings.text)
    return 0
  }
  const { reportFile, request } = settings
  const report = reportFile === null ? null : openImportReport(reportFile)
  setUmaskFor(settings.dataFolder) // after the report, which is not in the library
  const stop = stopOnSignals()
  const place = await openImportPlace(settings, (refusal) => report?.add(refusal))
  try {
    const started = await place.start(request)
    say(introOf(started, place))
    const followed = await followImport(place, started, stop)
    const { done } = followed
    const told = report === null ? done.refused : await place.tellRefusals(done)
    say(...summaryLines(done), ...reportLines(done, told), ...endLines(followed))
    return exitCodeOf(followed)
  } finally {
    await place.close()
    report?.close()
  }
}

const kinds: Readonly<Record<Import['source'], string>> = {
  folder: 'a folder of images',
  invokeai: 'an InvokeAI folder',
  export: 'what Tessera exported',
}

const introOf = ({ folder, source, dry_run }: Import, { address }: ImportPlace): string => {
  const what = `${dry_run ? 'Checking' : 'Importing'} ${folder}, ${kinds[source]}`
  return address === null ? what : `${what}, through the Tessera that runs at ${address}`
}

const reportLines = ({ refused }: Import, told: number): string[] =>
  told < refused
    ? [`The report names the first ${count(told)} of ${count(refused)} refused files.`]
    : []

const endLines = ({ done, hasSeenAll }: Followed): string[] => {
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

const exitCodeOf = ({ done, hasSeenAll }: Followed): number => {
  if (done.state === 'failed' || done.error !== null) return 1
  if (done.state === 'canceled' && !hasSeenAll) return STOPPED
  return done.refused > 0 ? 1 : 0
}

/** A file with a line of JSON for each refused file. */
interface ImportReport {
  add(refusal: ImportRefusal): void
  close(): void
}

/** @throws {StartError} It cannot be written. */
function openImportReport(path: string): ImportReport {
  try {
    const file = openSync(path, 'w')
    return {
      // At once, so that a run that is cut off has told what it refused until then.
      add: (refusal) => writeSync(file, `${JSON.stringify(refusal)}\n`),
      close: () => closeSync(file),
    }
  } catch (cause) {
    throw new StartError(`The report ${path} cannot be written.`, 2, { cause })
  }
}

/** How often a terminal's line is drawn anew. */
const DRAWN_MS = 250

/** Whether an import has ended, or waits for a person who has a command line and nothing else. */
const isOver = ({ state, error }: Import): boolean =>
  state === 'completed' || state === 'failed' || state === 'canceled' || isStuck({ state, error })

/** It paused by itself: the disk is full. */
const isStuck = ({ state, error }: Pick<Import, 'state' | 'error'>): boolean =>
  state === 'paused' && error !== null

interface Followed {
  done: Import
  /** It was stopped only while it waited for what arrives. */
  hasSeenAll: boolean
}

/**
 * Shows how far an import is until it ends, or waits for someone to make room: it is ended in order then, as it is
 * by `stop`.
 */
async function followImport(
  place: ImportPlace,
  started: Import,
  stop: AbortSignal,
): Promise<Followed> {
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
