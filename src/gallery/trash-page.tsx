import { type ReactNode, useEffect } from 'react'
import { useTilePx } from './images/grid-preferences.ts'
import { PageHeader } from './shell/page-header.tsx'
import { TrashActions } from './trash/trash-actions.tsx'
import { TrashPane } from './trash/trash-pane.tsx'

/** The page of the trash. */
export function TrashPage({ notes }: { notes: ReactNode }) {
  useEffect(() => {
    document.title = 'Trash · Tessera'
  }, [])
  return (
    <main aria-label="Trash" className="flex min-h-0 flex-1 flex-col">
      <PageHeader title="Trash" actions={<TrashActions />} />
      {notes}
      <TrashPane wantedTilePx={useTilePx()} />
    </main>
  )
}
