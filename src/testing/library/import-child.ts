import { DEFAULT_MAX_PIXELS } from '#contract/limits.ts'
import { OriginalCheck } from '#server/core/images/original-check.ts'
import { ImportService } from '#server/core/imports/import-service.ts'
import { FileRemoval } from '#server/core/intake/file-removal.ts'
import { UpkeepService } from '#server/core/upkeep/upkeep-service.ts'
import { openImageFiles } from '#server/storage/disk/image-files.ts'
import { openZipArchives } from '#server/storage/disk/zip-archives.ts'
import { openImportSources } from '#server/storage/import/open-import-source.ts'
import { openFileIntake } from '#server/storage/intake/open-file-intake.ts'
import { openRecords } from '#server/storage/sqlite/open-records.ts'
import { openThumbnailFiles } from '#server/storage/thumbnails/thumbnail-files.ts'

/**
 * Imports a folder into a library with the server's importer alone: `import-child.ts FOLDER DATA`. Prints
 * `begun` before it reads the first file, and at the end the result as JSON.
 */
const [folder = '', dataFolder = ''] = process.argv.slice(2)

const fail = (error: unknown) => {
  throw error
}
const records = await openRecords({ dataFolder })
const files = await openImageFiles({ dataFolder })
const thumbnails = await openThumbnailFiles(dataFolder)
const zips = await openZipArchives({
  dataFolder,
  files,
  check: new OriginalCheck(files),
})
const removal = new FileRemoval({ upkeep: records.upkeep, files, thumbnails, onFailure: fail })
const shared = { ...records, files, thumbnails, zips, removal, clock: Date.now, onFailure: fail }
const upkeep = new UpkeepService(shared)
await upkeep.start()
const intake = openFileIntake({ dataFolder, maxPixels: DEFAULT_MAX_PIXELS })
const imports = new ImportService({
  ...shared,
  intake,
  limits: { maxUploadBytes: 1_000_000 },
  open: openImportSources({ dataFolder }),
})

const { import_id } = await imports.start({ folder })
process.stdout.write('begun\n')
const done = await imports.waitForEnd(import_id)
await upkeep.close()
await intake.close()
await records.close()
process.stdout.write(`${JSON.stringify(done)}\n`)
