import { useRef } from 'react'
import { steerImport } from '#gallery/api/imports.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import { showToast } from '#gallery/ui/toast.ts'
import { importCardClosed } from './import-store.ts'

/** `dismiss`: one that was cut off is not gone on with. */
type Act = Parameters<typeof steerImport>[1] | 'dismiss'

const failures: Readonly<Record<Act, string>> = {
  pause: 'The import could not be paused',
  resume: 'The import could not be resumed',
  cancel: 'The import could not be canceled',
  dismiss: 'The import could not be closed',
}

/** Pauses, resumes, cancels or dismisses an import; says so when that fails. One thing at a time. */
export function useSteering(importId: string): (act: Act) => void {
  const isPending = useRef(false)
  const steer = (act: Act): void => {
    if (isPending.current) return
    isPending.current = true
    actOn(importId, act)
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

async function actOn(importId: string, act: Act): Promise<void> {
  await steerImport(importId, act === 'dismiss' ? 'cancel' : act)
  // The server forgets it; here what it answered is not to flash up.
  if (act === 'dismiss') importCardClosed(importId)
}
