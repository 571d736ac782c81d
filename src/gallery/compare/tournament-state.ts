/** A match of a tournament. */
export interface Match {
  readonly title: string
  /** Called with the name of the better image, also if the other one was deleted or taken out. */
  onWin(imageName: string): void
  /** Returns to the match before; null for the first one. */
  readonly onBack: (() => void) | null
}

/** The state of a tournament: two images are compared at a time, and the better one meets the next. */
export interface TournamentState {
  /** The images of the match, at the left and at the right. null: `winner` is the last one. */
  readonly match: readonly [string, string] | null
  readonly winner: string | null
  /** The images that follow. */
  readonly waiting: readonly string[]
  /** The state before the last match. */
  readonly before: TournamentState | null
}

/** Returns the first match. `imageNames` has at least two names. */
export function firstMatch([
  left = '',
  right = '',
  ...waiting
]: readonly string[]): TournamentState {
  return { match: [left, right], winner: null, waiting, before: null }
}

/** Returns the state after a match. The winner keeps its side. */
export function afterMatch(state: TournamentState, winner: string): TournamentState {
  if (state.match === null) return state
  const [next, ...waiting] = state.waiting
  if (next === undefined) return { match: null, winner, waiting: [], before: state }
  const [left, right] = state.match
  const match = left === winner ? ([winner, next] as const) : ([next, right] as const)
  return { match, winner: null, waiting, before: state }
}
