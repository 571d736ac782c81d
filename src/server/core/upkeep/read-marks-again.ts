import pLimit from 'p-limit'
import { MAX_TAGS } from '#contract/limits.ts'
import { isVideoName } from '#contract/videos/video-formats.ts'
import type { ImageRecords } from '#server/core/images/image-ports.ts'
import type { Marks } from '#server/core/images/picture-ports.ts'
import type { FileIntake } from '#server/core/intake/file-intake.ts'
import type { ImageFiles } from '#server/core/intake/file-ports.ts'
import { validTags } from '#server/core/intake/new-image-of.ts'
import { sidecarTextsIn } from '#server/core/intake/sidecar-texts.ts'
import type { Upkeep } from '#server/core/record-ports.ts'
import { Refusal } from '#server/core/refusal.ts'
import type { TagRecords } from '#server/core/tags/tag-ports.ts'
import { ifReadable } from './reread-batch.ts'

export interface MarkParts {
  upkeep: Pick<Upkeep, 'files'>
  images: Pick<ImageRecords, 'listByNames' | 'metadata' | 'setRating'>
  tags: Pick<TagRecords, 'apply'>
  files: Pick<ImageFiles, 'local'>
  intake: Pick<FileIntake, 'readMetadata'>
}

const BATCH = { limit: 256, concurrency: 8 }

/**
 * Gives images the ratings and tags that other programs wrote into their files (XMP), as an import does. An image with a
 * rating keeps it, and an image with tags gets no others. Nothing tells whether a person removed all of them, so call this
 * only when somebody asks for it.
 *
 * @returns The number of images that got a rating or tags.
 * @throws {Refusal} `too_many_tags`, or a refusal of the database or the disk. Finished images remain.
 * @throws The reason of `signal` if it is aborted. Finished images remain.
 */
export const readMarksAgain = async (
  parts: MarkParts,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (done: number) => void },
): Promise<number> => {
  let marked = 0
  let done = 0
  for (let after: string | null = null; ; ) {
    onProgress(done)
    const page: { imageName: string }[] = await parts.upkeep.files(after, BATCH.limit)
    const names = page.map(({ imageName }) => imageName).filter((name) => !isVideoName(name))
    marked += await markBatch(parts, names)
    signal.throwIfAborted()
    done += page.length
    after = page.at(-1)?.imageName ?? null
    if (page.length < BATCH.limit) return marked
  }
}

interface Found {
  imageName: string
  /** 0: it keeps its rating. */
  rating: number
  /** Empty: it keeps its tags. */
  tags: readonly string[]
}

const markBatch = async (parts: MarkParts, imageNames: readonly string[]): Promise<number> => {
  const bare = await recordsWithoutMarks(parts, imageNames)
  const read = await pLimit(BATCH.concurrency).map([...bare.keys()], (imageName) =>
    marksOf(parts, imageName),
  )
  // Another process may have changed them while the files were read.
  const current = await recordsWithoutMarks(parts, [...bare.keys()])
  const found = read.flatMap((marks): Found[] => {
    const record = marks && current.get(marks.imageName)
    if (!marks || !record) return []
    const rating = record.rating === 0 ? marks.rating : 0
    const tags = record.tags.length === 0 ? validTags(marks.tags) : []
    return rating === 0 && tags.length === 0 ? [] : [{ imageName: marks.imageName, rating, tags }]
  })
  for (const [rating, same] of Map.groupBy(found, ({ rating }) => rating))
    if (rating > 0)
      await parts.images.setRating(
        same.map(({ imageName }) => imageName),
        rating,
      )
  for (const same of Map.groupBy(found, ({ tags }) => JSON.stringify(tags)).values()) {
    const [{ tags: add } = { tags: [] }] = same
    if (add.length === 0) continue
    const names = same.map(({ imageName }) => imageName)
    const result = await parts.tags.apply(names, { add, remove: [] }, { maxTags: MAX_TAGS })
    if (result === 'too_many_tags') throw new Refusal(result)
  }
  return found.length
}

/** Returns the images outside the trash without a rating or without tags. */
const recordsWithoutMarks = async ({ images }: MarkParts, imageNames: readonly string[]) => {
  const records = await images.listByNames(imageNames)
  return new Map(
    records
      .filter(({ deleted_at }) => deleted_at == null)
      .filter(({ rating, tags }) => rating === 0 || tags.length === 0)
      .map((record) => [record.image_name, record]),
  )
}

const marksOf = (
  { images, files, intake }: MarkParts,
  imageName: string,
): Promise<(Marks & { imageName: string }) | null> =>
  ifReadable(async () => {
    await using original = await files.local(imageName)
    if (original === null) return null
    const stored = await images.metadata(imageName)
    const sidecars = sidecarTextsIn(stored?.normal?.raw.sidecars)
    const { marks } = await intake.readMetadata(original.path, { metadata: null, sidecars })
    return marks === undefined ? null : { ...marks, imageName }
  })
