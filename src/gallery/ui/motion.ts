/** The media query of users who have not asked for less motion. */
export const MOTION = '(prefers-reduced-motion: no-preference)'

/** Duration of a move, in milliseconds. It is the same for the view transition in styles.css. */
export const MOVE_MS = 180
