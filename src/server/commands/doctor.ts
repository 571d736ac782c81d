import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { DEFAULT_MAX_PIXELS } from '#contract/limits.ts'
import { Refusal } from '#server/core/refusal.ts'
import {
  type Diagnosis,
  type DoctorOptions,
  DoctorService,
} from '#server/core/upkeep/doctor-service.ts'
import { LibraryError } from '#server/core/upkeep/library-state.ts'
import { type MarkParts, readMarksAgain } from '#server/core/upkeep/read-marks-again.ts'
import { type RereadParts, rereadAll } from '#server/core/upkeep/reread-batch.ts'
import { lockUnlessHeld } from '#server/start/data-folder-lock.ts'
import { dataFlag, parse } from '#server/start/flags.ts'
import { StartError } from '#server/start/start-error.ts'
import { openImageFiles } from '#server/storage/disk/image-files.ts'
import { setUmaskFor } from '#server/storage/disk/make-folder.ts'
import { openFileIntake } from '#server/storage/intake/open-file-intake.ts'
import { READER_VERSION } from '#server/storage/metadata/reader-version.ts'
import { openExports, openRecords } from '#server/storage/sqlite/open-records.ts'
import { openThumbnailFiles } from '#server/storage/thumbnails/thumbnail-files.ts'
import {
  count,
  listed,
  noLibrary,
  progressWriter,
  STOPPED,
  say,
  stopOnSignals,
} from './command-line.ts'
import { damageOf, rebuildLibrary } from './doctor-damage.ts'
import { lateCodec } from './late-codec.ts'
import { addEnginesFlags, type Engines, enginesOf, openEnginesLibrary } from './library-place.ts'

export interface DoctorFlags {
  /** Absolute. */
  data: string
  deep?: true
  repair?: true
  adopt?: true
  setAside?: true
  reread?: true
  rereadRatings?: true
  json?: true
  /** Absent: the library is in the data folder. */
  engines?: Engines | null
}

const HELP = `
Checks the database (pages, indexes, references, counts, search) and the size of
every original, and looks for files without a record, files that were set aside,
thumbnails without an image and temporary files. With --deep it reads every
original and compares its SHA-256.

--repair builds indexes, counts and the search index again, brings back files
from set-aside/ whose records are there, and deletes thumbnails without an image
and temporary files. It deletes no original and no record.

If pages of the database are damaged, doctor says which rows can be read, and
--repair makes a new database of them. It adds what they lack from the newest
automatic backup and makes images of files without a record. The damaged database
is moved to before-restore-DATE.

--adopt makes an image of every file without a record, on no board. Use it to
make a new library of the originals if tessera.db is lost and there is no
backup: it makes a new database if there is none. Boards, stars, names and dates
of the old one are gone; prompts and workflows inside the files are read again.

--reread reads the metadata of all images again that an earlier version of
Tessera read, as a server does in the background after an update. It changes no
original, and no name, board, star or date.

--reread-ratings reads ratings, labels and tags again that other programs wrote
into the files (XMP), for images that an earlier version added without them. It
gives a rating only to images without one, and tags only to images without any.
It cannot know what you removed: an image whose rating you took away gets it
again. Images in the trash are left out.

While a server runs, everything is only read. Stop it first to change something.

With --database and --files it checks the counts and the search index in
PostgreSQL and the size and the stored SHA-256 of every original in S3, and lists
all objects of the library.

Exit codes: 0 no problems or repaired, 1 problems, 2 wrong usage, 130
stopped.`

export async function runDoctor(args: readonly string[]): Promise<number> {
  const settings = readDoctorFlags(args)
  setUmaskFor(settings.data)
  const stop = stopOnSignals()
  const line = progressWriter()
  const onProgress: DoctorOptions['onProgress'] = (step, done, total) => {
    const figures = done === 0 ? '…' : `: ${count(done)}${total === 0 ? '' : ` of ${count(total)}`}`
    if (!settings.json) line.show(`${step}${figures}`)
  }
  try {
    const diagnosis = await diagnose(settings, { signal: stop, onProgress })
    line.clear()
    if (settings.json) say(JSON.stringify(diagnosis, null, 2))
    else say(...diagnosisLines(diagnosis))
    return diagnosis.problems.every(({ isRepaired }) => isRepaired) ? 0 : 1
  } catch (error) {
    line.clear()
    if (stop.aborted) return STOPPED
    throw error
  }
}

function readDoctorFlags(args: readonly string[]): DoctorFlags {
  const command = new Command('tessera doctor')
    .description('Checks a library and repairs what can be repaired')
    .option('--deep', 'read every original and compare its SHA-256')
    .option('--repair', 'repair what can be repaired')
    .option('--adopt', 'make images of files without a record')
    .option('--set-aside', 'move files without a record to set-aside/')
    .option('--reread', 'read metadata again that an earlier version read')
    .option('--reread-ratings', 'read ratings and tags again that files contain')
    .option('--json', 'print the result as JSON, with every name')
    .addOption(dataFlag())
    .addHelpText('after', HELP)
  parse(addEnginesFlags(command), args)
  if (command.args.length > 0) throw new StartError('Give the folder with --data (see --help).', 2)
  const flags = { ...command.opts<DoctorFlags>(), engines: enginesOf(command) }
  if (flags.adopt && flags.setAside) {
    throw new StartError('--adopt and --set-aside cannot be combined (see --help).', 2)
  }
  return flags
}

/**
 * @throws {StartError} The data folder cannot be opened, a server holds it and a repair is requested, or a repair is
 *   refused.
 * @throws {LibraryError} The database cannot be opened.
 */
export async function diagnose(flags: DoctorFlags, hooks: Hooks): Promise<Diagnosis> {
  const { engines = null } = flags
  try {
    if (engines !== null) return await diagnoseEngines(engines, flags, hooks)
    return await diagnoseLocked(flags, hooks)
  } catch (error) {
    throw error instanceof Refusal ? new StartError(error.message, 1, { cause: error }) : error
  }
}

async function diagnoseLocked(flags: DoctorFlags, hooks: Hooks): Promise<Diagnosis> {
  const { data } = flags
  if (!existsSync(data)) throw new StartError(`There is no folder ${data}.`, 2)
  const lock = lockUnlessHeld(data)
  if (lock === null && changesLibrary(flags)) {
    throw new StartError('Tessera is running. Stop it first: a running library is only read.', 1)
  }
  try {
    return await diagnoseFolder(flags, lock !== null, hooks)
  } finally {
    lock?.release()
  }
}

const changesLibrary = (flags: DoctorFlags): boolean =>
  [flags.repair, flags.adopt, flags.setAside, flags.reread, flags.rereadRatings].includes(true)

async function diagnoseFolder(
  flags: DoctorFlags,
  isLocked: boolean,
  hooks: Hooks,
): Promise<Diagnosis> {
  const { data, repair } = flags
  const files = await openImageFiles({ dataFolder: data })
  if (!flags.adopt) assertLibrary(data, await files.hasAny())
  const damage = await damageOf(data, isLocked, hooks)
  if (damage !== null && !repair) return { images: 0, bytesRead: 0, problems: [damage] }
  const rebuilt = damage && (await rebuildLibrary(data, hooks))
  const writable = isLocked ? await openRecords({ dataFolder: data, mayBeDamaged: true }) : null
  const records = writable ?? (await openExports(data))
  try {
    const parts = {
      files,
      upkeep: records.upkeep,
      images: records.images,
      thumbnails: await openThumbnailFiles(data),
      codec: lateCodec(),
    }
    const options = optionsOf(flags)
    // Files that are newer than all that could be read have no record.
    const strays = rebuilt === null ? options.strays : 'adopt'
    const found = await new DoctorService(parts, { ...options, strays, ...hooks }).run()
    const problems = [...(rebuilt === null ? [] : [rebuilt]), ...found.problems]
    const diagnosis = { ...found, problems }
    if (writable === null) return diagnosis
    const { thumbnails } = parts
    const reading = { ...writable, dataFolder: data, files, thumbnails }
    return await rereadAfter(diagnosis, reading, { ...flags, ...hooks })
  } finally {
    await records.close()
  }
}

/** Reads what the flags ask for, and adds the numbers of images. Leaves out a damaged database, which cannot be written. */
async function rereadAfter(
  diagnosis: Diagnosis,
  parts: Omit<RereadParts & MarkParts, 'intake' | 'readerVersion'> & { dataFolder: string },
  { reread, rereadRatings, signal, onProgress }: DoctorFlags & Hooks,
): Promise<Diagnosis> {
  if (!reread && !rereadRatings) return diagnosis
  if (diagnosis.problems.some(({ kind, isRepaired }) => kind === 'structure' && !isRepaired)) {
    return diagnosis
  }
  const { dataFolder, ...library } = parts
  const intake = openFileIntake({ dataFolder, maxPixels: DEFAULT_MAX_PIXELS })
  try {
    const found = { ...diagnosis }
    if (reread) {
      found.reread = await rereadAll(
        { ...library, intake, readerVersion: READER_VERSION },
        { signal, onProgress: (done, total) => onProgress('Reading metadata again', done, total) },
      )
    }
    if (rereadRatings) {
      const noteDone = (done: number) =>
        onProgress('Reading ratings and tags', done, diagnosis.images)
      found.marked = await readMarksAgain({ ...library, intake }, { signal, onProgress: noteDone })
    }
    return found
  } finally {
    await intake.close()
  }
}

type Hooks = Pick<DoctorOptions, 'signal' | 'onProgress'>

const optionsOf = ({ deep, repair, adopt, setAside }: DoctorFlags) =>
  ({
    isDeep: deep === true,
    repairs: repair === true,
    strays: adopt ? 'adopt' : setAside ? 'set_aside' : 'leave',
  }) as const

/** Only repairs need the library for themselves. */
async function diagnoseEngines(
  engines: Engines,
  flags: DoctorFlags,
  hooks: Hooks,
): Promise<Diagnosis> {
  const options = optionsOf(flags)
  const isReader = !changesLibrary(flags)
  const library = await openEnginesLibrary(engines, { isReader })
  const { records, files, thumbnails, close } = library
  try {
    const { upkeep, images } = records
    const parts = { files, thumbnails, codec: lateCodec(), upkeep, images }
    const service = new DoctorService(parts, { ...options, ...hooks, isOnEngines: true })
    const diagnosis = await service.run()
    const reading = { ...records, dataFolder: library.temporaryFolder, files, thumbnails }
    return await rereadAfter(diagnosis, reading, { ...flags, ...hooks })
  } finally {
    await close()
  }
}

/** Throws if there is no library, because opening it would create a new database. */
function assertLibrary(dataFolder: string, hasFiles: boolean): void {
  const path = join(dataFolder, 'tessera.db')
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0) return
  if (!hasFiles) throw noLibrary(dataFolder)
  throw new LibraryError(
    `${path} is missing or empty, but images/ has files. Put it back, or a backup of it. If there is none, run \`tessera doctor --adopt\` to make a new library of the files.`,
  )
}

const diagnosisLines = ({ images, bytesRead, problems, reread, marked }: Diagnosis): string[] => {
  const read = bytesRead > 0 ? `, ${count(bytesRead)} bytes read` : ''
  const checked = [
    `Checked ${imagesText(images)}${read}.`,
    ...(reread === undefined ? [] : [`Read the metadata of ${imagesText(reread)} again.`]),
    ...(marked === undefined
      ? []
      : [
          `Gave ${imagesText(marked)} the rating or the tags in ${marked === 1 ? 'its file' : 'their files'}.`,
        ]),
  ]
  if (problems.length === 0) return [...checked, 'All is well.']
  const lines = problems.flatMap(({ text, names, isRepaired, advice }) => [
    `${isRepaired ? 'Repaired' : 'Problem'}: ${text}`,
    ...listed(names, { limit: 10, hint: ' (--json)' }),
    ...(advice === null ? [] : [`  ${advice}`]),
  ])
  return [...checked, ...lines]
}

const imagesText = (images: number): string =>
  `${count(images)} ${images === 1 ? 'image' : 'images'}`
