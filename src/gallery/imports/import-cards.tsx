import { useEffect } from 'react'
import { isUnderWay, useImports } from '#gallery/api/imports.ts'
import { ImportCard } from './import-card.tsx'
import { importSeen, useCardStates } from './import-store.ts'
import { ImportsAnnouncer } from './imports-announcer.tsx'
import { importsShown } from './imports-shown.ts'
import { useArrivals } from './use-arrivals.ts'

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
