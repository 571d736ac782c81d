import { useRef } from 'react'
import { steerImport } from '#gallery/api/imports.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import { showToast } from '#gallery/ui/toast.ts'

type Act = Parameters<typeof steerImport>[1]

const failures: Readonly<Record<Act, string>> = {
  pause: 'The import could not be paused',
  resume: 'The import could not be resumed',
  cancel: 'The import could not be cancelled',
}

/** Pauses, resumes or cancels an import; says so when that fails. One thing at a time. */
export function useSteering(importId: string): (act: Act) => void {
  const isPending = useRef(false)
  const steer = (act: Act): void => {
    if (isPending.current) return
    isPending.current = true
    steerImport(importId, act)
      .catch((error: unknown) =>
        showToast({
          title: failures[act],
          description: reasonOf(error),
          tone: 'danger',
          action: { label: 'Retry', run: () => steer(act) },
        }),
      )
      .finally(() => {
        isPending.current = false
      })
  }
  return steer
}
