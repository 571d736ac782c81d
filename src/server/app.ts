import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { DEFAULT_PLAYABLE_CACHE_BYTES } from '#contract/limits.ts'
import { drawDemoLibrary } from '#demo/draw-demo-library.ts'
import { addPngText } from '#demo/png-text.ts'
import { ActiveWork } from '#server/core/active-work.ts'
import { BoardService } from '#server/core/boards/board-service.ts'
import { ChangeFeed } from '#server/core/changes/change-feed.ts'
import { EventHub } from '#server/core/events/event-hub.ts'
import { ArchiveService } from '#server/core/exports/archive-service.ts'
import { CopyService } from '#server/core/images/copy-service.ts'
import { GalleryService } from '#server/core/images/gallery-service.ts'
import { ImageService } from '#server/core/images/image-service.ts'
import { PlayableService } from '#server/core/images/playable-service.ts'
import { PosterService } from '#server/core/images/poster-service.ts'
import { ThumbnailService } from '#server/core/images/thumbnail-service.ts'
import { TrashService } from '#server/core/images/trash-service.ts'
import { VideoService } from '#server/core/images/video-service.ts'
import { ImportService } from '#server/core/imports/import-service.ts'
import { DemoService } from '#server/core/intake/demo-service.ts'
import { FileRemoval } from '#server/core/intake/file-removal.ts'
import { IngestService } from '#server/core/intake/ingest-service.ts'
import { ResumableUploads } from '#server/core/intake/resumable-uploads.ts'
import { DuplicateService } from '#server/core/likeness/duplicate-service.ts'
import { ModelMemory } from '#server/core/models/model-memory.ts'
import { ModelService } from '#server/core/models/model-service.ts'
import { shareControls } from '#server/core/queue/engine-controls.ts'
import { LibraryOfEngine } from '#server/core/queue/engine-library.ts'
import { QueueProcessor } from '#server/core/queue/queue-processor.ts'
import { QueueService } from '#server/core/queue/queue-service.ts'
import { SearchService } from '#server/core/searches/search-service.ts'
import { TagService } from '#server/core/tags/tag-service.ts'
import { AutomaticBackup } from '#server/core/upkeep/automatic-backup.ts'
import { FolderWatch } from '#server/core/upkeep/folder-watch.ts'
import { LibraryCheck } from '#server/core/upkeep/library-check.ts'
import { LibraryError } from '#server/core/upkeep/library-state.ts'
import { type Probe, ReadinessService } from '#server/core/upkeep/readiness.ts'
import { RereadService } from '#server/core/upkeep/reread-service.ts'
import { UpkeepService } from '#server/core/upkeep/upkeep-service.ts'
import { WorkflowService } from '#server/core/workflows/workflow-service.ts'
import { nodeSchemas } from '#server/engine/nodes/index.ts'
import { openEngine } from '#server/engine/open-engine.ts'
import { openEventSockets } from '#server/events/event-sockets.ts'
import { createHttpApp } from '#server/http/http-app.ts'
import type { Parts } from '#server/http/parts.ts'
import { capabilitiesOf, publishedLimits } from '#server/start/capabilities-of.ts'
import { type DataFolderLock, lockDataFolder } from '#server/start/data-folder-lock.ts'
import { addressOf, closeInTime, FINISH_MS } from '#server/start/listening.ts'
import { metricSources } from '#server/start/metric-sources.ts'
import { openCoordination } from '#server/start/open-coordination.ts'
import { type Opened, openStorage } from '#server/start/open-storage.ts'
import { RequestOrigin } from '#server/start/request-origin.ts'
import type { ServerOptions } from '#server/start/server-options.ts'
import { dataFolderReason, StartError } from '#server/start/start-error.ts'
import { comparisonLines, upkeepLines } from '#server/start/upkeep-lines.ts'
import { version } from '#server/start/version.ts'
import { automaticBackups } from '#server/storage/backup/automatic-backups.ts'
import { exists } from '#server/storage/disk/system-errors.ts'
import { openUnfinishedFolder } from '#server/storage/disk/unfinished-folder.ts'
import { listFolders } from '#server/storage/import/folder-listing.ts'
import { openImportSources } from '#server/storage/import/open-import-source.ts'
import { openPictureGrouper } from '#server/storage/likeness/open-picture-grouper.ts'
import { READER_VERSION } from '#server/storage/metadata/reader-version.ts'
import { openModelFiles } from '#server/storage/models/open-model-files.ts'
import { openPlayableFolder } from '#server/storage/playable/open-playable-folder.ts'
import { openVideoConverter } from '#server/storage/playable/open-video-converter.ts'

/** A server in this process. */
export interface TesseraServer {
  /** For requests without a network, with `app.inject`. */
  readonly app: FastifyInstance
  /** Events, for listeners without a network. */
  readonly events: EventHub
  /** Imports of folders of this machine. */
  readonly imports: ImportService
  /** Address without a trailing slash; `''` before it listens. */
  readonly address: string
  /** Listens and returns the address. `port` 0 chooses a free port. */
  listen(where: { host: string; port: number }): Promise<string>
  /** Lets readiness answer that the server stops, so that a proxy sends its requests elsewhere. */
  announceStop(): void
  /** Stops within five seconds. Unfinished requests are terminated and leave nothing behind. */
  close(): Promise<void>
  /** Returns the free disk space of the data folder in bytes. */
  freeBytes(): Promise<number>
  /** Waits for the work of all requests, including those whose clients disconnected. */
  settled(): Promise<void>
}

/** Time for terminated requests to clean up. */
const CLEAN_UP_MS = 1_000

/**
 * Creates the server from its options. Only this module knows all parts.
 *
 * @throws {StartError} The data folder cannot be used, or another running server holds it.
 */
export async function createServer(options: ServerOptions): Promise<TesseraServer> {
  const hasDatabase = (options.databaseUrl ?? null) !== null
  const { dataFolder, readOnly: isReadOnly = false } = options
  const lock = lockDataFolder(dataFolder, { hasDatabase, isReadOnly })
  const opened: Opened = []
  try {
    return await openServer(options, lock, opened)
  } catch (error) {
    // Close before rejecting, because the next server may open the folder at once.
    try {
      for (const part of opened.toReversed()) await part.close()
    } finally {
      lock.release()
    }
    if (error instanceof StartError) throw error
    const message = `The library in ${options.dataFolder} cannot be opened: ${dataFolderReason(error)}`
    throw new StartError(message, 1, { cause: error })
  }
}

/** Asks the connection that the events use, which notices within seconds that Redis is away. */
const redisProbe = (events: EventHub): Probe => ({
  name: 'redis',
  check: async () => {
    if (!events.isConnected) throw new Error('The connection to Redis is lost')
  },
})

async function openServer(
  options: ServerOptions,
  lock: DataFolderLock,
  opened: Opened,
): Promise<TesseraServer> {
  const { dataFolder, clock = Date.now, logger, readOnly: isReadOnly = false } = options
  const hasDatabase = (options.databaseUrl ?? null) !== null
  const about = capabilitiesOf(options)
  let address = ''
  const onWarning = (line: string) => logger?.warn(line)
  const onFailure = (error: unknown) =>
    logger?.error({ err: error }, 'work in the background failed')

  const { modelsFolder = null } = options
  const modelFiles = await openModelFiles({ modelsFolder, dataFolder, onFailure }).catch(
    (cause) => {
      throw new StartError(`The models in ${modelsFolder} cannot be read.`, 1, { cause })
    },
  )
  opened.push(modelFiles)
  const origin = new RequestOrigin()
  const storage = await openStorage(
    { ...options, maxPixels: about.limits.max_pixels, origin, onFailure },
    lock,
    opened,
  )
  const { state, database, store, records, intake, ports } = storage
  const { files, originals, codec } = ports

  const coordination = await openCoordination({
    redisUrl: options.redisUrl ?? null,
    library: async () => String(await records.upkeep.madeAt()),
    clock,
    onWarning,
    onFailure,
  })
  opened.push(coordination)
  const { bus, limits: requestLimits, sockets, tickets } = coordination
  const events = new EventHub({ clock, bus })
  const changes = new ChangeFeed({ ...records, events })
  const { playableCacheBytes = DEFAULT_PLAYABLE_CACHE_BYTES } = options
  const playableFiles = openPlayableFolder({ dataFolder, maxBytes: playableCacheBytes, clock })
  const playable = about.extensions.includes('playable_copies')
    ? new PlayableService({ files, copies: playableFiles, converter: openVideoConverter() })
    : null
  const removal = new FileRemoval({ ...ports, copies: playableFiles })
  const limits = {
    maxUploadBytes: about.limits.max_upload_bytes,
    maxVideoBytes: about.limits.max_video_bytes ?? about.limits.max_upload_bytes,
  }
  const uploads = { images: 0, bytes: 0 }
  const onUploaded = (bytes: number) => {
    uploads.images += 1
    uploads.bytes += bytes
  }
  const ingest = new IngestService({ ...ports, limits, onUploaded })
  const unfinished = openUnfinishedFolder(dataFolder)
  const resumable = about.extensions.includes('resumable_uploads')
    ? new ResumableUploads({ ...ports, unfinished, ingest, limits })
    : null
  const open = openImportSources({ dataFolder })
  const imports = new ImportService({ ...ports, intake, open, limits, events })
  const copies = new CopyService(ports)
  const archives = new ArchiveService({ ...ports, events, tickets })
  const upkeep = new UpkeepService({
    ...ports,
    removal,
    uploads: resumable,
    pending: options.files ? records.pending : undefined,
    onSwept: (report) => comparisonLines(report).forEach(onWarning),
  })
  opened.push(changes, removal, upkeep)
  const probes = [...storage.probes, ...(options.redisUrl ? [redisProbe(events)] : [])]
  const readiness = new ReadinessService(probes, {
    onChange: (name, error) =>
      error === null
        ? logger?.info(`${name} answers again`)
        : logger?.warn({ err: error }, `${name} does not answer: this server is not ready`),
  })
  const check = new LibraryCheck({ ...records, state, onReport: onWarning, onFailure })
  const folderWatch = new FolderWatch({
    state,
    isThere: () => exists(join(dataFolder, 'tessera.db')),
    reopen: async () => {
      await records.upkeep.reopen()
      lock.renew()
      lock.announce(address)
      if (!isReadOnly) await records.upkeep.checkDisk()
    },
    onAway: () => logger?.error(`The data folder ${dataFolder} is not there: requests are refused`),
    onBack: () => logger?.info(`The data folder ${dataFolder} is back: the server continues`),
    onFailure,
  })
  // Automatic backups copy SQLite's file. PostgreSQL is backed up with its own tools.
  const everyDays = options.databaseUrl || isReadOnly ? null : (options.backupEveryDays ?? null)
  const backupParts = { backups: automaticBackups(dataFolder), state, clock, onFailure }
  const backup =
    everyDays === null
      ? null
      : new AutomaticBackup({ ...backupParts, everyDays, onSkip: onWarning })
  const library = new LibraryOfEngine({ ...ports, ingest, removal })
  const modelMemory = new ModelMemory({ files: modelFiles, events })
  const engine = await (options.openEngine ?? openEngine)({
    library,
    models: modelMemory,
    ...(options.modelMemoryBytes && { modelMemoryBytes: options.modelMemoryBytes }),
    maxPixels: about.limits.max_pixels,
    appVersion: version,
    embedTexts: addPngText,
  })
  const processor = new QueueProcessor({ ...records, engine, events, bus, onFailure })
  opened.push(engine, processor)
  const controls = shareControls(engine, bus, onFailure)
  const eventConnections = openEventSockets(events, sockets)
  const requestWork = new ActiveWork()
  const rereads = new RereadService({
    ...{ ...ports, intake, state, readerVersion: READER_VERSION },
    isBusy: () => !requestWork.isIdle || processor.isRunning || imports.isRunning,
  })
  const thumbnails = new ThumbnailService(ports)
  const duplicates = new DuplicateService({
    records: records.duplicates,
    revision: records.upkeep.revision,
    grouper: openPictureGrouper(),
  })
  opened.push(duplicates)
  const parts: Parts = {
    records,
    changes,
    origin,
    boards: new BoardService(records, removal),
    images: new ImageService(records, removal),
    videos: new VideoService(records, removal),
    posters: new PosterService({ ...ports, thumbnails }),
    playable,
    trash: new TrashService(records, removal),
    workflows: new WorkflowService(records.workflows, randomUUID),
    searches: new SearchService({ records: records.savedSearches, events, newId: randomUUID }),
    duplicates,
    tags: new TagService({ records: records.tags, newId: randomUUID }),
    queue: new QueueService({ ...records, engine, events, processor }),
    processor,
    models: new ModelService({ files: modelFiles, runner: controls.models, memory: modelMemory }),
    invocationCache: controls.cache,
    gallery: new GalleryService(records),
    thumbnails,
    copies,
    demo: new DemoService({ ...ports, ingest, draw: drawDemoLibrary }),
    imports,
    listFolders,
    ingest,
    resumable,
    archives,
    requestWork,
    rereads,
    eventConnections,
    requestLimits,
    originals,
    files,
    links: store.links,
    state,
    readiness,
    metricSources: metricSources({
      uploads,
      isRunning: () => processor.isRunning,
      sockets: () => eventConnections.count(),
      connections: database?.connections ?? null,
      store: store.counts,
      isRedisConnected: options.redisUrl ? () => events.isConnected : null,
    }),
    about,
    revision: async () => String(await records.upkeep.revision()),
  }
  if (!isReadOnly) {
    await playableFiles.sweep()
    for (const line of upkeepLines(await upkeep.start())) onWarning(line)
    await processor.recover()
    if (about.extensions.includes('imports')) await imports.recover()
    if (options.runsQueue ?? true) processor.start()
  }

  const { rateLimit = publishedLimits } = options
  const httpOptions = { ...options, rateLimit, version, nodeSchemas: nodeSchemas() }
  const app = await createHttpApp(parts, httpOptions)
  const sweepLater = async () => {
    try {
      for (const line of comparisonLines(await upkeep.compareRest())) onWarning(line)
    } catch (error) {
      if (!(error instanceof LibraryError)) throw error
      logger?.error(error.message)
      state.fail('damaged')
    }
    await upkeep.sweepThumbnails()
  }
  const endImports = async () => {
    const ended = imports.close()
    await Promise.race([ended, delay(FINISH_MS, undefined, { ref: false })])
    await intake.close()
    await ended
  }
  const endWork = async () => {
    await endImports()
    await processor.close()
    await engine.close()
    await library.waitForSaves()
  }
  const close = async () => {
    readiness.stop()
    changes.close()
    copies.close()
    await folderWatch.close()
    const reread = rereads.close()
    await duplicates.close()
    await backup?.close()
    const ended = endWork()
    await playable?.close()
    await closeInTime(app)
    await ended
    await codec.close()
    await Promise.race([requestWork.settled(), delay(CLEAN_UP_MS, undefined, { ref: false })])
    await reread
    await upkeep.close()
    await check.close()
    await modelFiles.close()
    await archives.close()
    await coordination.close()
    await removal.close()
    await records.close()
    if (!isReadOnly) await files.sweepTemporaries()
    store.close()
    lock.release()
  }
  let closing: Promise<void> | undefined
  return {
    app,
    events,
    imports,
    get address() {
      return address
    },
    listen: async ({ host, port }) => {
      if (hasDatabase) await changes.watchDatabase()
      await app.listen({ host, port })
      address = addressOf(app, host)
      lock.announce(address)
      check.start()
      // In PostgreSQL the records do not depend on the folder.
      if (!hasDatabase) folderWatch.start()
      backup?.start()
      upkeep.prepareJumps().catch(onFailure)
      if (!isReadOnly) rereads.start()
      if (!isReadOnly) sweepLater().catch(onFailure)
      return address
    },
    announceStop: () => readiness.stop(),
    close: () => {
      closing ??= close()
      return closing
    },
    freeBytes: () => files.freeBytes(),
    settled: () => requestWork.settled(),
  }
}
