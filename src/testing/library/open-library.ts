import { join } from 'node:path'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { DEFAULT_MAX_PIXELS } from '#contract/limits.ts'
import { LocalBus } from '#server/core/events/event-bus.ts'
import { EventHub } from '#server/core/events/event-hub.ts'
import { ArchiveService } from '#server/core/exports/archive-service.ts'
import { LocalArchiveTickets } from '#server/core/exports/archive-tickets.ts'
import { OriginalCheck } from '#server/core/images/original-check.ts'
import { ThumbnailService } from '#server/core/images/thumbnail-service.ts'
import { FileRemoval } from '#server/core/intake/file-removal.ts'
import { IngestService } from '#server/core/intake/ingest-service.ts'
import { UpkeepService } from '#server/core/upkeep/upkeep-service.ts'
import { openImageFiles } from '#server/storage/disk/image-files.ts'
import { imagePath } from '#server/storage/disk/image-path.ts'
import { openZipArchives } from '#server/storage/disk/zip-archives.ts'
import { openFileIntake } from '#server/storage/intake/open-file-intake.ts'
import { openRecords } from '#server/storage/sqlite/open-records.ts'
import { openImageCodec } from '#server/storage/thumbnails/image-codec.ts'
import { openThumbnailFiles } from '#server/storage/thumbnails/thumbnail-files.ts'
import { createSettableClock } from '#testing/settable-clock.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'

const fail = (error: unknown) => {
  throw error
}

interface LibraryOptions {
  maxUploadBytes?: number
}

/** A library without HTTP: real records and files in its own folder. */
export type Library = Awaited<ReturnType<typeof open>>

/** Opens a library for one test and closes it afterwards. */
export async function openLibrary(options: LibraryOptions = {}): Promise<Library> {
  const library = await open(options)
  onTestFinished(library.close)
  return library
}

/** Shares one library between the tests of a file, for tests that tolerate the content of others. */
export function shareLibrary(options: LibraryOptions = {}): () => Library {
  let library: Library | undefined
  beforeAll(async () => {
    library = await open(options)
  })
  afterAll(() => library?.close())
  return () => {
    if (library === undefined) throw new Error('only within a test')
    return library
  }
}

/**
 * Reuses libraries for the tests of a file: opening one, with its threads and processes, takes longer than
 * most tests. Each test gets an empty library that no other test uses at the same time. An earlier test may
 * have used it.
 */
export function reuseLibraries(): () => Promise<Library> {
  const unused: Library[] = []
  afterAll(async () => {
    for (const library of unused.splice(0)) await library.close()
  })
  return async () => {
    const library = unused.pop() ?? (await open({}))
    onTestFinished(async () => {
      await empty(library)
      unused.push(library)
    })
    return library
  }
}

/** Deletes all boards, images and videos of a library with their files. */
export async function empty({ boards, images, trash, removal }: Library): Promise<void> {
  const every = { orderBy: 'created_at', direction: 'ASC', includeArchived: true } as const
  for (const { board_id } of (await boards.list(every)).items)
    await boards.remove(board_id, { images: 'keep' })
  await images.removeUncategorized('image')
  await images.removeUncategorized('video')
  await trash.purge(Number.MAX_SAFE_INTEGER)
  removal.request()
  await removal.waitUntilDone()
}

async function open({ maxUploadBytes = 64 * 1024 * 1024 }: LibraryOptions) {
  const dataFolder = await createTemporaryFolder()
  const clock = createSettableClock()
  const records = await openRecords({ dataFolder, clock })
  const files = await openImageFiles({ dataFolder })
  const originals = new OriginalCheck(files)
  const thumbnails = await openThumbnailFiles(dataFolder)
  const zips = await openZipArchives({ dataFolder, files, check: originals })
  const codec = openImageCodec({ maxPixels: DEFAULT_MAX_PIXELS })
  const intake = openFileIntake({ dataFolder, maxPixels: DEFAULT_MAX_PIXELS })
  const removal = new FileRemoval({ upkeep: records.upkeep, files, thumbnails, onFailure: fail })
  const media = { files, originals, codec, intake, thumbnails, zips }
  const parts = { ...records, ...media, removal, clock, onFailure: fail }
  const events = new EventHub({ clock, bus: new LocalBus(fail) })
  const archives = new ArchiveService({ ...parts, events, tickets: new LocalArchiveTickets(clock) })
  const upkeepService = new UpkeepService(parts)
  return {
    ...parts,
    dataFolder,
    /** Returns the path of an original. */
    pathOf: (imageName: string) => imagePath(join(dataFolder, 'images'), imageName),
    events,
    archives,
    upkeepService,
    ingest: new IngestService({ ...parts, limits: { maxUploadBytes } }),
    thumbnailService: new ThumbnailService(parts),
    close: async () => {
      await upkeepService.close()
      await archives.close()
      await removal.close()
      await intake.close()
      await records.close()
      await removeFolder(dataFolder)
    },
  }
}
