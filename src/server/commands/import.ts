import type { Import } from '#contract/import.ts'
import { setUmaskFor } from '#server/storage/disk/make-folder.ts'
import { STOPPED, say, stopOnSignals } from './command-line.ts'
import { type Followed, followImport, isStuck } from './follow-import.ts'
import { count, summaryLines } from './import-lines.ts'
import { type ImportPlace, openImportPlace } from './import-place.ts'
import { openImportReport } from './import-report.ts'
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
