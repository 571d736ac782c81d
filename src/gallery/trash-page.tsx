import { type ReactNode, useEffect } from 'react'
import { PageHeader } from './shell/page-header.tsx'
import { TrashActions } from './trash/trash-actions.tsx'
import { TrashPane } from './trash/trash-pane.tsx'

/** The trash: what is in it and the way back. */
export function TrashPage({ notes }: { notes: ReactNode }) {
  useEffect(() => {
    document.title = 'Trash · Tessera'
  }, [])
  return (
    <main aria-label="Trash" className="flex min-h-0 flex-1 flex-col">
      <PageHeader title="Trash" actions={<TrashActions />} />
      {notes}
      <TrashPane />
    </main>
  )
}
