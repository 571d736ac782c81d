import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { boardQueries } from '#gallery/api/board-queries.ts'
import { type Import, startAgain } from '#gallery/api/imports.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import { Button } from '#gallery/ui/button.tsx'
import { showToast } from '#gallery/ui/toast.ts'
import { goTo, usePlace } from '#gallery/url/use-place.ts'
import { destinationOf } from './import-destination.ts'
import { importCardClosed, importStarted } from './import-store.ts'

const again = {
  failed: { label: 'Start again', tone: 'plain' },
  canceled: { label: 'Start again', tone: 'plain' },
  interrupted: { label: 'Go on', tone: 'primary' },
} as const

/** Leads to where the images of an import went, or starts one again that did not come to its end. */
export function ImportActions({ run }: { run: Import }) {
  const boards = useQuery(boardQueries.list()).data ?? []
  const { board, label } = destinationOf(run, boards)
  const place = usePlace()
  const canShow = run.taken_in + run.known > 0 && place.board !== board
  const { state } = run
  const isCutShort = state === 'failed' || state === 'canceled' || state === 'interrupted'
  if (!canShow && !isCutShort) return null
  return (
    <footer className="flex flex-wrap items-center justify-end gap-2 border-line border-t px-3 py-2">
      {state === 'interrupted' && (
        <p className="mr-auto pl-1 text-muted text-xs">
          Tessera stopped before the import finished.
        </p>
      )}
      {isCutShort && <StartAgain run={run} {...again[state]} />}
      {canShow && <Button onClick={() => goTo({ board, image: null, query: '' })}>{label}</Button>}
    </footer>
  )
}

interface StartAgainProps {
  run: Import
  label: string
  tone: 'plain' | 'primary'
}

function StartAgain({ run, label, tone }: StartAgainProps) {
  const [isStarting, setStarting] = useState(false)
  const start = async () => {
    setStarting(true)
    try {
      importStarted((await startAgain(run)).import_id)
      importCardClosed(run.import_id)
    } catch (error) {
      setStarting(false)
      showToast({
        title: 'The import could not be started again',
        description: reasonOf(error),
        tone: 'danger',
      })
    }
  }
  return (
    <Button tone={tone} disabled={isStarting} onClick={() => void start()}>
      {label}
    </Button>
  )
}
