import { cancelGeneration, retryGeneration } from '#gallery/api/queue/generations.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import { showToast } from '#gallery/ui/toasts/toast.ts'

const canceled = new Set<number>()

/** Whether a person has canceled it here: nothing more is to be seen of it. */
export const wasCanceled = (itemId: number): boolean => canceled.has(itemId)

/** Stops an item or takes it out of the queue; says so where that could not be done. */
export function cancel(itemId: number): void {
  canceled.add(itemId)
  cancelGeneration(itemId).catch((error: unknown) => {
    canceled.delete(itemId)
    tell('Couldn’t cancel it', () => cancel(itemId))(error)
  })
}

/** Puts a failed item into the queue once more; says so where that could not be done. */
export function retry(itemId: number): void {
  retryGeneration(itemId).catch(tell('Couldn’t retry it', () => retry(itemId)))
}

const tell = (title: string, again: () => void) => (error: unknown) =>
  void showToast({
    tone: 'danger',
    title,
    description: reasonOf(error),
    action: { label: 'Retry', run: again },
  })
