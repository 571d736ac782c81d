import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { DoctorOptions, Problem } from '#server/core/upkeep/doctor-service.ts'
import { copyNewestBackup } from '#server/storage/backup/automatic-backups.ts'
import { removeDatabase } from '#server/storage/backup/copy-database.ts'
import { putInPlace } from '#server/storage/backup/restore-backup.ts'
import { makeFolder } from '#server/storage/disk/make-folder.ts'
import { flushFile } from '#server/storage/disk/whole-file.ts'
import { type Rebuilt, rebuildDatabase } from '#server/storage/sqlite/salvage/rebuild-database.ts'
import {
  hasDamagedLog,
  type Survey,
  surveyDatabase,
} from '#server/storage/sqlite/salvage/survey-database.ts'
import { checkInProcess } from '#server/storage/sqlite/upkeep/check-in-process.ts'
import { count } from './command-line.ts'

type Hooks = Pick<DoctorOptions, 'signal' | 'onProgress'>

const readingOf = (dataFolder: string, { signal, onProgress }: Hooks) => ({
  path: join(dataFolder, 'tessera.db'),
  imagesFolder: join(dataFolder, 'images'),
  signal,
  onProgress: (rows: number) => onProgress('Reading the damaged database', rows, 0),
})

const REPAIR =
  'Run `tessera doctor --repair`. It makes a new database of these rows, adds what they lack from the newest automatic backup, makes images of files without a record, and sets the damaged database aside.'

/**
 * Says what can be read of a database that only a new one can replace, and changes nothing. null: there is no such
 * damage.
 *
 * The log is checked before SQLite opens the database, because SQLite then drops what it cannot use.
 */
export async function damageOf(
  dataFolder: string,
  isLocked: boolean,
  hooks: Hooks,
): Promise<Problem | null> {
  const { path, ...reading } = readingOf(dataFolder, hooks)
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return null
  hooks.onProgress('Checking the database', 0, 0)
  const isDamaged =
    (isLocked && hasDamagedLog(path)) ||
    (await checkInProcess({ path, depth: 'quick' }, hooks.signal)).some(
      ({ kind, canRepair }) => kind === 'structure' && !canRepair,
    )
  if (!isDamaged) return null
  const survey = await surveyDatabase(path, reading)
  const text = `The database is damaged: ${damageText(survey)} These rows can be read:`
  return { kind: 'structure', text, names: tableLines(survey), isRepaired: false, advice: REPAIR }
}

/** Replaces a damaged database with a new one of all rows that can be read, and sets it aside. */
export async function rebuildLibrary(dataFolder: string, hooks: Hooks): Promise<Problem> {
  const folder = join(dataFolder, 'incoming')
  const [to, backup] = [join(folder, 'rebuilt.db'), join(folder, 'earlier.db')]
  makeFolder(folder)
  try {
    await removeDatabase(to)
    const madeAt = await copyNewestBackup(dataFolder, backup, hooks.signal)
    const reading = readingOf(dataFolder, hooks)
    const rebuilt = await rebuildDatabase({
      ...reading,
      to,
      backup: madeAt === null ? null : backup,
    })
    await flushFile(to)
    const setAside = await putInPlace(to, dataFolder)
    const text = `The database was damaged: ${damageText(rebuilt)} A new one was made${madeAt === null ? '; there is no automatic backup' : ''}. The damaged one is in ${setAside}. The new one has:`
    const names = [...tableLines(rebuilt), ...completionLines(rebuilt, madeAt)]
    return { kind: 'structure', text, names, isRepaired: true, advice: null }
  } finally {
    await removeDatabase(to)
    await removeDatabase(backup)
  }
}

const damageText = ({ pages, damagedPages, framesAfterDamage }: Survey): string => {
  const log = `SQLite would drop ${count(framesAfterDamage)} pages of its log.`
  const ofPages = `${count(damagedPages)} of ${count(pages)} pages cannot be read.`
  if (framesAfterDamage === 0) return ofPages
  return damagedPages === 0 ? log : `${ofPages} ${log}`
}

const tableLines = ({ tables }: Survey): string[] => {
  const most = [...tables].sort((a, b) => b.rows - a.rows)
  return most.map(
    ({ name, rows, isWhole }) =>
      `${name}: ${count(rows)} ${rows === 1 ? 'row' : 'rows'}${isWhole ? '' : ', others are lost'}`,
  )
}

const completionLines = (
  { fromBackup, namelessBoards, namelessTags }: Rebuilt,
  madeAt: number | null,
): string[] => [
  ...Object.entries(fromBackup).map(
    ([name, rows]) =>
      `of these from the backup of ${new Date(madeAt ?? 0).toISOString()}: ${name}: ${count(rows)}`,
  ),
  ...(namelessBoards === 0
    ? []
    : [`boards whose names are lost, called “Recovered board”: ${count(namelessBoards)}`]),
  ...(namelessTags.tags === 0
    ? []
    : [
        `tags whose names are lost, called “Recovered tag”: ${count(namelessTags.tags)}, on ${count(namelessTags.images)} ${namelessTags.images === 1 ? 'image' : 'images'}`,
      ]),
]
