import { v4 as randomId } from 'uuid'
import { UNCATEGORIZED_BOARD_ID, UNCATEGORIZED_BOARD_NAME } from '#contract/board.ts'
import {
  type Archive,
  type BulkDownload,
  type createArchive,
  type DownloadOptions,
  getArchive,
} from '#contract/downloads/download-operations.ts'
import { FileNamer, PLAIN_NAMES, parseNamePattern } from '#contract/downloads/name-pattern.ts'
import { BULK_DOWNLOAD_ID, SYSTEM_USER_ID } from '#contract/events.ts'
import type { MediaType } from '#contract/media-types.ts'
import { type BodyOf, pathOf } from '#contract/operation.ts'
import { ActiveWork } from '#server/core/active-work.ts'
import type { Clock } from '#server/core/clock.ts'
import type { EventSink, News } from '#server/core/events/event-hub.ts'
import {
  type ArchiveEntry,
  assertNamesFit,
  type ImageRecords,
} from '#server/core/images/image-ports.ts'
import type { ImageFiles, ZipArchives, ZipEntry } from '#server/core/intake/file-ports.ts'
import type { BoardRecords } from '#server/core/record-ports.ts'
import { orRefuse, Refusal } from '#server/core/refusal.ts'
import { assertTimeZone } from '#server/core/time-zone.ts'
import { wireEntries } from './archive-names.ts'
import type { ArchiveSource, ArchiveTickets } from './archive-tickets.ts'
import {
  convertedEntries,
  convertStored,
  extensionAs,
  type FormParts,
  formOf,
} from './picture-forms.ts'

/** Images of a board, or named images. `board_id` takes precedence. */
type ArchiveRequest = BodyOf<typeof createArchive>

export interface ArchiveContent {
  fileName: string
  mediaType: MediaType | 'application/zip'
  /** null if the size is unknown before the stream ends. */
  bytes: number | null
  content: AsyncIterable<Uint8Array>
}

export interface ArchiveParts extends FormParts {
  files: Pick<ImageFiles, 'local' | 'read'>
  images: Pick<ImageRecords, 'archiveEntries'>
  boards: Pick<BoardRecords, 'get'>
  zips: ZipArchives
  tickets: ArchiveTickets
  clock: Clock
  events: EventSink
}

/** Downloads of images as zips: InvokeAI's bulk download, and Tessera's streamed archives. */
export class ArchiveService {
  readonly #parts: ArchiveParts
  readonly #stopping = new AbortController()
  readonly #active = new ActiveWork()

  constructor(parts: ArchiveParts) {
    this.#parts = parts
  }

  /**
   * Creates a ticket for an archive that `open` streams within ten minutes (a Tessera extension). Unless the options
   * say otherwise, files have the names they were uploaded with.
   *
   * @throws {Refusal} `nothing_to_download`, `board_not_found`, `too_many_names`, `redis_down`, `invalid_request`,
   *   `unknown_time_zone`.
   */
  async create(request: ArchiveRequest): Promise<Archive> {
    const source = sourceOf(request)
    const options = optionsOf(request)
    namesOf(options)
    const entries = await this.#entries(source)
    const name = (await this.#boardName(source)) ?? 'Images'
    const day = new Date(this.#parts.clock()).toISOString().slice(0, 10)
    const [image, ...others] = entries
    const isFile = options.as_file === true
    if (isFile && (image === undefined || others.length > 0))
      throw new Refusal('invalid_request', 'Only a single image can be a file.')
    const fileName =
      isFile && image !== undefined
        ? expectedFileName(image, options)
        : `${cleanName(name) || 'Images'} ${day}.zip`
    const archiveId = randomId()
    await this.#parts.tickets.add(archiveId, { source, fileName, options })
    return {
      archive_id: archiveId,
      archive_url: pathOf(getArchive, { archive_id: archiveId }).slice(1),
      file_name: fileName,
      image_count: entries.length,
      total_bytes: entries.reduce((sum, entry) => sum + entry.file_size, 0),
    }
  }

  /**
   * Streams an archive while it is made. It contains the current images of the board.
   *
   * @throws {Refusal} `archive_not_found`, `redis_down`; `board_not_found` if the board was deleted meanwhile. For a
   *   single file also those of `convertStored`.
   */
  async open(archiveId: string): Promise<ArchiveContent> {
    const ticket = orRefuse(await this.#parts.tickets.get(archiveId), 'archive_not_found')
    const { fileName, options } = ticket
    const entries = await this.#entries(ticket.source)
    if (options.as_file === true)
      return this.#file(orRefuse(entries[0], 'archive_not_found'), options)
    const named = convertedEntries(entries, {
      parts: this.#parts,
      form: formOf(options),
      namer: namerOf(options, entries.length),
    })
    return {
      fileName,
      mediaType: 'application/zip',
      bytes: null,
      content: this.#parts.zips.stream(named),
    }
  }

  async #file(image: ArchiveEntry, options: DownloadOptions): Promise<ArchiveContent> {
    const picture = await convertStored(this.#parts, image, formOf(options))
    const fileName = fileNameAs(image, options, picture?.mediaType)
    if (picture !== null) {
      const { bytes, mediaType } = picture
      return { fileName, mediaType, bytes: bytes.length, content: once(bytes) }
    }
    await this.#parts.originals.assertWhole(image)
    const file = orRefuse(await this.#parts.files.read(image.image_name), 'archive_not_found')
    return { fileName, mediaType: image.media_type, bytes: file.bytes, content: file.content }
  }

  /**
   * Starts to make a zip in the background and returns its name. Events report when it is ready or failed: one
   * missing image makes the whole download fail.
   *
   * @throws {Refusal} `nothing_to_download`, `board_not_found`, `too_many_names`.
   */
  async startBulkDownload(request: ArchiveRequest): Promise<BulkDownload> {
    const source = sourceOf(request)
    const entries = wireEntries(await this.#entries(source))
    const boardName =
      'boardId' in source && source.boardId === UNCATEGORIZED_BOARD_ID
        ? 'Uncategorized'
        : await this.#boardName(source)
    const prefix = boardName === null ? '' : `${cleanName(boardName)}_`
    const zipName = `${prefix}${randomId()}.zip`
    const isWhole = 'boardId' in source || entries.length === new Set(source.imageNames).size
    void this.#active.track(this.#make(zipName, isWhole ? entries : null))
    return { response: null, bulk_download_item_name: zipName }
  }

  /**
   * Returns a finished bulk download and removes it: it can be downloaded once.
   *
   * @throws {Refusal} `archive_not_found`, also while the zip is being made.
   */
  async takeBulkDownload(zipName: string): Promise<ArchiveContent> {
    const zip = orRefuse(await this.#parts.zips.take(zipName), 'archive_not_found')
    return { fileName: zipName, mediaType: 'application/zip', ...zip }
  }

  async close(): Promise<void> {
    this.#stopping.abort()
    await this.#active.settled()
  }

  /** Makes a zip and emits its events. `entries` is null if some requested images do not exist. */
  async #make(zipName: string, entries: readonly ZipEntry[] | null): Promise<void> {
    const { events, zips, onFailure } = this.#parts
    const news = newsOf(zipName)
    events.emit('bulk_download_started', news)
    try {
      if (entries === null) throw new Refusal('image_not_found', 'Image not found')
      await zips.write(zipName, entries, this.#stopping.signal)
      events.emit('bulk_download_complete', news)
    } catch (error) {
      if (this.#stopping.signal.aborted) return
      const isRefused = error instanceof Refusal
      if (!isRefused) onFailure(error)
      const reason = isRefused ? error.message : 'The zip could not be made.'
      events.emit('bulk_download_error', { ...news, error: reason })
    }
  }

  async #entries(source: ArchiveSource): Promise<ArchiveEntry[]> {
    return orRefuse(await this.#parts.images.archiveEntries(source), 'board_not_found')
  }

  async #boardName(source: ArchiveSource): Promise<string | null> {
    if (!('boardId' in source)) return null
    if (source.boardId === UNCATEGORIZED_BOARD_ID) return UNCATEGORIZED_BOARD_NAME
    return (await this.#parts.boards.get(source.boardId))?.board_name ?? null
  }
}

/** Returns the fields common to all events of a bulk download. */
const newsOf = (zipName: string): News<'bulk_download_started'> => ({
  bulk_download_id: BULK_DOWNLOAD_ID,
  bulk_download_item_id: zipName.replace(/\.zip$/, ''),
  bulk_download_item_name: zipName,
  user_id: SYSTEM_USER_ID,
})

const sourceOf = ({ board_id, image_names }: ArchiveRequest): ArchiveSource => {
  if (board_id) return { boardId: board_id }
  if (!image_names?.length) throw new Refusal('nothing_to_download')
  assertNamesFit(image_names)
  return { imageNames: image_names }
}

const optionsOf = ({ board_id: _, image_names: __, ...options }: ArchiveRequest): DownloadOptions =>
  options

/** @throws {Refusal} `invalid_request`, `unknown_time_zone`. */
const namesOf = ({ names = PLAIN_NAMES, time_zone: timeZone = 'UTC' }: DownloadOptions) => {
  const { pattern, fault } = parseNamePattern(names)
  if (fault !== null) throw new Refusal('invalid_request', fault.message)
  assertTimeZone(timeZone)
  return { pattern, timeZone }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

const namerOf = (options: DownloadOptions, count: number): FileNamer => {
  const { pattern, timeZone } = namesOf(options)
  return new FileNamer(pattern, { count, timeZone })
}

/** Returns the name of a single file before its conversion, which may keep another format than the requested one. */
const expectedFileName = (image: ArchiveEntry, options: DownloadOptions): string => {
  const { format = 'original' } = options
  return fileNameAs(image, options, format === 'original' ? undefined : `image/${format}`)
}

/** Returns the name of a single file, without the folders of its pattern. */
const fileNameAs = (
  image: ArchiveEntry,
  options: DownloadOptions,
  mediaType: MediaType | undefined,
): string => namerOf(options, 1).nextPath(image, extensionAs(image, mediaType)).at(-1) ?? ''

/** Reduces a name to letters, digits, spaces, `_` and `-`, as InvokeAI does, and to the length of a file name. */
const cleanName = (boardName: string): string =>
  boardName
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .slice(0, 100)
    .toWellFormed()
