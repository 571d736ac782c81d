import { useImports } from '#gallery/api/imports.ts'
import { ImportCard } from './import-card.tsx'
import { useClosedImportIds } from './import-store.ts'
import { ImportsAnnouncer } from './imports-announcer.tsx'
import { importsShown } from './imports-shown.ts'
import { useArrivals } from './use-arrivals.ts'

/**
 * Every import of this server, in each tab and after a reload, until its card is closed. What comes in
 * is shown by the way.
 *
 * In app.tsx it stands once, in the corner of the page.
 */
export function ImportCards() {
  const { imports, isStale } = useImports()
  const closedIds = useClosedImportIds()
  const real = (imports ?? []).filter(({ dry_run }) => !dry_run)
  const shown = importsShown(imports ?? [], closedIds)
  useArrivals(imports)
  return (
    <>
      <ImportsAnnouncer imports={real} />
      {shown.map((one) => (
        <ImportCard key={one.import_id} run={one} isStale={isStale} />
      ))}
    </>
  )
}
