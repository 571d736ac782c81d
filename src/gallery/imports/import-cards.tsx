import { useEffect, useRef, useState } from 'react'
import { isLibraryEmpty } from '#gallery/api/boards/board-queries.ts'
import {
  type Import,
  importArrived,
  importRested,
  isUnderWay,
  useImports,
} from '#gallery/api/imports.ts'
import { suggestOrder } from '#gallery/url/use-place.ts'
import { hasArrived } from './has-arrived.ts'
import { ImportCard } from './import-card.tsx'
import { importSeen, useCardStates } from './import-store.ts'
import { announcementOf, titleOf } from './import-words.ts'
import { importsShown } from './imports-shown.ts'

/** The cards of imports. While they are mounted, the page shows imported images as they arrive. */
export function ImportCards() {
  const { imports, isStale } = useImports()
  const cards = useCardStates()
  const real = (imports ?? []).filter(({ dry_run }) => !dry_run)
  const shown = importsShown(imports ?? [], cards)
  useArrivals(imports)
  useEffect(() => {
    for (const one of shown.filter(isUnderWay)) importSeen(one.import_id)
  })
  return (
    <>
      <ImportsAnnouncer imports={real} />
      {shown.map((one) => (
        <ImportCard
          key={one.import_id}
          run={one}
          isStale={isStale}
          isOwn={cards[one.import_id] === 'started'}
        />
      ))}
    </>
  )
}

/** Says aloud when an import begins and how it ended, and nothing in between. */
function ImportsAnnouncer({ imports }: { imports: readonly Import[] }) {
  const [said, setSaid] = useState('')
  const before = useRef<ReadonlySet<string>>(new Set())
  useEffect(() => {
    const underWay = new Set(imports.filter(isUnderWay).map(({ import_id }) => import_id))
    const begun = imports.find((one) => isUnderWay(one) && !before.current.has(one.import_id))
    const ended = imports.find((one) => !isUnderWay(one) && before.current.has(one.import_id))
    before.current = underWay
    if (ended) setSaid(announcementOf(ended))
    else if (begun) setSaid(titleOf(begun))
  }, [imports])
  return (
    <p className="sr-only" aria-live="polite">
      {said}
    </p>
  )
}

/** Shows what has come in: soon at first, then now and then, and all of it when an import rests. */
function useArrivals(imports: readonly Import[] | undefined): void {
  const before = useRef<readonly Import[]>(undefined)
  useEffect(() => {
    const last = before.current
    before.current = imports
    // Imported images arrive all at once: their own dates order them better than that of the import. The
    // open view changes only if it was empty: else what a person looks at would move.
    if (imports?.some(({ dry_run, taken_in }) => !dry_run && taken_in > 0)) {
      suggestOrder({ orderBy: 'taken_at' }, isLibraryEmpty())
    }
    // What came in before the page was there is in its first answers.
    if (imports === undefined || last === undefined) return
    if (hasArrived(last, imports)) importArrived()
    if (last.some((one) => hasComeToRest(one, imports))) importRested()
  }, [imports])
}

/** Whether it took files in and does so no more: it has ended, is paused, or only watches. */
const hasComeToRest = (one: Import, now: readonly Import[]): boolean =>
  one.state === 'running' &&
  now.find(({ import_id }) => import_id === one.import_id)?.state !== 'running'
