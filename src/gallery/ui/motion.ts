/** The media query of users who have not asked for less motion. */
export const MOTION = '(prefers-reduced-motion: no-preference)'

/** Returns true if the browser asks pages to save data. */
export const savesData = (): boolean =>
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true

/** Duration of a move, in milliseconds. It is the same for the view transition in styles.css. */
export const MOVE_MS = 180
