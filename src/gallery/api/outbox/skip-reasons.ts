/** Why an Undo or Redo skips images and boards: they are not as the action left them. */
export const GONE = 'It no longer exists.'
export const IMAGES_ADDED = 'It has new images or videos since.'
export const UNKNOWN = 'Its earlier state is not known.'

/** Why Undo or Redo leaves the value of a board, or the board of an image: another client has changed it since. */
export const CHANGED = {
  board: 'It was moved since.',
  rating: 'It was rated since.',
  board_name: 'It was renamed since.',
  board_archived: 'It was changed since.',
  board_visibility: 'Who can see it was changed since.',
  board_cover: 'Its cover was changed since.',
  board_pinned: 'It was changed since.',
  board_description: 'Its description was changed since.',
  board_position: 'It was moved in the list since.',
  search: 'It was changed since.',
  poster: 'Its thumbnail was changed since.',
} as const

/** Why a change is not done: the user canceled it before it was sent. */
export const CANCELED = 'Canceled.'

const reasons: readonly string[] = [GONE, IMAGES_ADDED, UNKNOWN, ...Object.values(CHANGED)]

/** Returns true if the same request would be refused again, so that a retry is of no use. */
export const isSkipped = (reason: string): boolean => reasons.includes(reason)
