import { reasonOf } from '#gallery/api/reason-of.ts'
import { showToast } from '#gallery/ui/toasts/toast.ts'

/** Does something about the queue, and says so when it could not be done. */
export function attempt(action: () => Promise<void>, title: string): void {
  action().catch((error: unknown) => {
    const again = { label: 'Retry', run: () => attempt(action, title) }
    showToast({ tone: 'danger', title, description: reasonOf(error), action: again })
  })
}
