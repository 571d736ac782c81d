import { useState } from 'react'
import { steerImport } from '#gallery/api/imports.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import { showToast } from '#gallery/ui/toast.ts'

type Act = Parameters<typeof steerImport>[1]

const failures: Readonly<Record<Act, string>> = {
  pause: 'The import could not be paused',
  resume: 'The import could not be resumed',
  cancel: 'The import could not be cancelled',
}

/** Pauses, resumes or cancels an import; says so when that fails. */
export function useSteering(importId: string) {
  const [isPending, setPending] = useState(false)
  const steer = (act: Act): void => {
    setPending(true)
    steerImport(importId, act)
      .catch((error: unknown) =>
        showToast({
          title: failures[act],
          description: reasonOf(error),
          tone: 'danger',
          action: { label: 'Retry', run: () => steer(act) },
        }),
      )
      .finally(() => setPending(false))
  }
  return { steer, isPending }
}
