import { useEffect, useState } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import { tagKey } from '#contract/search/tag-names.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { recordsOf } from '#gallery/api/outbox/not-as-left.ts'
import { isTagAspect, tagOfAspect } from '#gallery/api/outbox/outbox-state.ts'
import type { ImagesToTag } from '#gallery/api/tags/tag-request.ts'

/** The records of more images are not requested. */
const MAX_READ = 5_000

/** Returns how many of the images have each tag; undefined while it is not known. Follows changes and their Undo. */
export function useTagsOnImages({ count, names, records }: ImagesToTag) {
  const { client, outbox } = useGallery()
  const [onImages, setOnImages] = useState<ReadonlyMap<string, number> | undefined>(() =>
    records.length === count ? countTags(records) : undefined,
  )
  useEffect(() => {
    let isOver = false
    const read = async () => {
      const all: ImageRecord[] = []
      for await (const record of recordsOf(client, await names())) all.push(record)
      if (!isOver) setOnImages(countTags(all))
    }
    const canRead = count <= MAX_READ
    // Without an answer the counts stay unknown, and tags can be added.
    if (canRead && records.length !== count) void read().catch(() => undefined)
    const stop = outbox.events.add((event) => {
      const { aspect, wanted } = event.action
      if (!isTagAspect(aspect)) return
      if (event.kind === 'taken') {
        setOnImages((before) => withCount(before, tagOfAspect(aspect), wanted ? count : 0))
      } else if (canRead && (event.kind === 'undone' || event.kind === 'refused')) {
        void read().catch(() => undefined)
      }
    })
    return () => {
      isOver = true
      stop()
    }
  }, [client, outbox, count, names, records])
  return onImages
}

function countTags(records: readonly ImageRecord[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { tags } of records) {
    for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  }
  return counts
}

function withCount(
  counts: ReadonlyMap<string, number> | undefined,
  tag: string,
  count: number,
): ReadonlyMap<string, number> | undefined {
  if (counts === undefined) return undefined
  const spelled = [...counts.keys()].find((name) => tagKey(name) === tagKey(tag)) ?? tag
  return new Map([...counts, [spelled, count]])
}
