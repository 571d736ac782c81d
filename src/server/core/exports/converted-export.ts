import { expectedType, isImageType, keepsForm } from '#contract/downloads/converted-type.ts'
import type { OriginalCheck } from '#server/core/images/original-check.ts'
import type { ConvertedPicture, PictureForm } from '#server/core/images/picture-ports.ts'
import { Refusal } from '#server/core/refusal.ts'
import { ExportLayout } from './export-layout.ts'
import type { ConvertedFolder, ExportPlace, ExportRecords, ImageToExport } from './export-ports.ts'
import { boardIdsOf, type ExportRequest } from './export-service.ts'
import { xmpOf } from './export-xmp.ts'
import { convertStored, extensionAs, type FormParts, reasonOf } from './picture-forms.ts'
import { walkExport, workOnAll } from './walk-export.ts'

interface ConvertedRequest extends Pick<ExportRequest, 'boards' | 'names' | 'hasXmp'> {
  form: PictureForm
}

/** Images with a reason, in the order in which they were found. */
export interface Reasons {
  count: number
  /** The first 1,000. */
  first: { name: string; reason: string }[]
}

/** Progress of an export of converted files, in images. */
export interface ConvertedProgress {
  /** Total to export. */
  found: number
  written: number
  /** Already in the folder. */
  known: number
  /** Of those, the ones that keep their format and size. */
  unconverted: Reasons
  /** Left out, because their metadata cannot be removed. */
  leftOut: Reasons
  failed: Reasons
}

const MAX_REASONS = 1000

export const noReasons = (): Reasons => ({ count: 0, first: [] })

export const addReason = (
  reasons: Reasons,
  { file_name, image_name }: Pick<ImageToExport, 'file_name' | 'image_name'>,
  reason: string,
): void => {
  reasons.count++
  if (reasons.first.length < MAX_REASONS)
    reasons.first.push({ name: file_name ?? image_name, reason })
}

export interface ConvertedExportParts extends FormParts {
  records: ExportRecords
  folder: ConvertedFolder
  originals: Pick<OriginalCheck, 'assertWhole'>
}

type Outcome =
  | { state: 'written' | 'known'; keepsForm: boolean }
  | { failure: string }
  | { leftOut: string }

/**
 * Exports images in another form to a folder: boards as folders, no sidecars, because an import must not take the files for
 * the originals. Leaves existing files, so that an interrupted export can continue.
 */
export class ConvertedExport {
  readonly #parts: ConvertedExportParts

  constructor(parts: ConvertedExportParts) {
    this.#parts = parts
  }

  /**
   * Exports until it is complete or `signal` is aborted. Files written until then remain.
   *
   * @throws {Refusal} `board_not_found`, with the name of the board.
   * @throws {TargetFolderError} The disk is full or cannot be written.
   */
  async run(
    { boards, names, ...request }: ConvertedRequest,
    { signal, onProgress }: { signal: AbortSignal; onProgress?: (done: ConvertedProgress) => void },
  ): Promise<ConvertedProgress> {
    const { records, folder } = this.#parts
    const progress: ConvertedProgress = {
      ...{ found: 0, written: 0, known: 0 },
      ...{ unconverted: noReasons(), leftOut: noReasons(), failed: noReasons() },
    }
    try {
      const boardIds = await boardIdsOf(boards, records)
      progress.found = await records.count(boardIds)
      const layout = new ExportLayout(null, { names, count: progress.found })
      layout.add(await records.boards())
      await walkExport(records, { boardIds, signal }, async (images) => {
        if (!images.every((image) => layout.hasFolder(image))) layout.add(await records.boards())
        await workOnAll(images, signal, async (image) => {
          note(progress, image, await this.#put(image, layout, request))
          onProgress?.(progress)
        })
      })
    } finally {
      await folder.close()
    }
    return progress
  }

  async #put(
    image: ImageToExport,
    layout: ExportLayout,
    { form, hasXmp }: Pick<ConvertedRequest, 'form' | 'hasXmp'>,
  ): Promise<Outcome> {
    const { folder } = this.#parts
    const expected = extensionAs(image, expectedType(image, form))
    const places = layout.placesOf(image, expected)
    let found = await this.#find(image, places())
    let isWritten = false
    let isKept = keepsForm(image, form)
    if (found?.state === 'free') {
      const picture = await this.#convert(image, form)
      if (picture !== null && 'reason' in picture) return picture.reason
      // Of images in older libraries, only the file says that they are animated.
      isKept ||= picture?.isEncoded !== true && keepsForm({ ...image, is_animated: true }, form)
      const extension = extensionAs(image, picture?.mediaType)
      if (extension !== expected) found = await this.#find(image, places(extension))
      if (found?.state === 'free') {
        const date = form.withoutMetadata ? null : image.dated_at
        const failure = await folder.write(image.image_name, found.place, { picture, date })
        if (failure !== null) return { failure }
        isWritten = true
      }
    }
    if (found === null) return { failure: 'Other files are in its place.' }
    const failure = hasXmp ? await folder.writeXmp(found.place, xmpOf(image)) : null
    if (failure !== null) return { failure }
    return { state: isWritten ? 'written' : 'known', keepsForm: isKept }
  }

  /** Returns the place of the file of this image, or the first free one. A place before may have become free since. */
  async #find(
    { image_name }: ImageToExport,
    places: Iterable<ExportPlace>,
  ): Promise<{ place: ExportPlace; state: 'known' | 'free' } | null> {
    let free: { place: ExportPlace; state: 'free' } | null = null
    for (const place of places) {
      const state = await this.#parts.folder.stateOf(image_name, place)
      if (state === 'known') return { place, state }
      if (state === 'free') free ??= { place, state }
    }
    return free
  }

  /** null: the original has this form. */
  async #convert(
    image: ImageToExport,
    form: PictureForm,
  ): Promise<ConvertedPicture | { reason: Outcome } | null> {
    const { originals, onFailure } = this.#parts
    try {
      const picture = await convertStored(this.#parts, image, form)
      if (picture === null) await originals.assertWhole(image)
      return picture
    } catch (error) {
      const reason = reasonOf(error, onFailure)
      const isLeftOut = error instanceof Refusal && error.code === 'metadata_left'
      return { reason: isLeftOut ? { leftOut: reason } : { failure: reason } }
    }
  }
}

const note = (progress: ConvertedProgress, image: ImageToExport, outcome: Outcome): void => {
  if ('leftOut' in outcome) addReason(progress.leftOut, image, outcome.leftOut)
  else if ('failure' in outcome) addReason(progress.failed, image, outcome.failure)
  else {
    progress[outcome.state]++
    const reason = isImageType(image.media_type) ? 'It is animated.' : 'It is a video.'
    if (outcome.keepsForm) addReason(progress.unconverted, image, reason)
  }
}
