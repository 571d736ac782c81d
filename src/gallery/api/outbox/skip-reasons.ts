/** Why an Undo or Redo skips images and boards: they are not as the action left them. */
export const GONE = 'It no longer exists.'
export const CHANGED = 'It was changed since.'
export const IMAGES_ADDED = 'It has new images since.'
export const UNKNOWN = 'Its earlier state is not known.'

/** Why a change is not done: the user canceled it before it was sent. */
export const CANCELED = 'Canceled.'

const reasons: readonly string[] = [GONE, CHANGED, IMAGES_ADDED, UNKNOWN]

/** Returns true if the same request would be refused again, so that a retry is of no use. */
export const isSkipped = (reason: string): boolean => reasons.includes(reason)
