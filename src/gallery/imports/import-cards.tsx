import { Suspense, useEffect, useRef, useState } from 'react'
import { isLibraryEmpty } from '#gallery/api/boards/board-queries.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { type Import, isImportActive, useImports } from '#gallery/api/imports.ts'
import { Announcement } from '#gallery/ui/announcement.tsx'
import { lazyPart } from '#gallery/ui/lazy-part.ts'
import { suggestOrder } from '#gallery/url/use-place.ts'
import { markImportSeen, useCardStates } from './import-store.ts'
import { announcementOf, titleOf } from './import-words.ts'
import { visibleImports } from './visible-imports.ts'

export const ImportCard = lazyPart(async () => (await import('./import-card.tsx')).ImportCard)

/** The cards of imports. */
export function ImportCards() {
  const { imports, isStale } = useImports()
  const cards = useCardStates()
  const real = (imports ?? []).filter(({ dry_run }) => !dry_run)
  const shown = visibleImports(imports ?? [], cards)
  useDatesOfImports(imports)
  useEffect(() => {
    for (const one of shown.filter(isImportActive)) markImportSeen(one.import_id)
  })
  return (
    <>
      <ImportsAnnouncer imports={real} />
      <Suspense>
        {shown.map((one) => (
          <ImportCard
            key={one.import_id}
            run={one}
            isStale={isStale}
            isOwn={cards[one.import_id] === 'started'}
          />
        ))}
      </Suspense>
    </>
  )
}

/** Announces the start and the result of an import to screen readers, and nothing in between. */
function ImportsAnnouncer({ imports }: { imports: readonly Import[] }) {
  const [announcement, setAnnouncement] = useState('')
  const before = useRef<ReadonlySet<string>>(new Set())
  useEffect(() => {
    const active = new Set(imports.filter(isImportActive).map(({ import_id }) => import_id))
    const started = imports.find((one) => isImportActive(one) && !before.current.has(one.import_id))
    const ended = imports.find((one) => !isImportActive(one) && before.current.has(one.import_id))
    before.current = active
    if (ended) setAnnouncement(announcementOf(ended))
    else if (started) setAnnouncement(titleOf(started))
  }, [imports])
  return <Announcement>{announcement}</Announcement>
}

/**
 * Imported images are added at once, so this sorts them by their own dates. The open view changes only if it was empty;
 * otherwise images that the user looks at would move.
 */
function useDatesOfImports(imports: readonly Import[] | undefined): void {
  const { queryClient } = useGallery()
  const wasEmpty = useRef(false)
  useEffect(() => {
    if (imports === undefined) return
    const isEmpty = isLibraryEmpty(queryClient)
    const hasImages = imports.some(({ dry_run, taken_in }) => !dry_run && taken_in > 0)
    // The first images may be in the views before the import reports them.
    if (hasImages) suggestOrder({ orderBy: 'taken_at' }, isEmpty || wasEmpty.current)
    else wasEmpty.current = isEmpty
  }, [imports, queryClient])
}
