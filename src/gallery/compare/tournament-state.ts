/** A match of a tournament. */
export interface Match {
  readonly title: string
  /** Called with the name of the better image. */
  onWin(imageName: string): void
  /** Called with the name of the image that is left after the other one was deleted or taken out. */
  onWinByDefault(imageName: string): void
  /** Returns to the last match that the user decided. null: there is none. */
  readonly onBack: (() => void) | null
}

/** The state of a tournament: two images are compared at a time, and the better one meets the next. */
export interface TournamentState {
  /** The images of the match, at the left and at the right. null: `winner` is the last one. */
  readonly match: readonly [string, string] | null
  readonly winner: string | null
  /** The images that follow. */
  readonly waiting: readonly string[]
  /** The images that were deleted or taken out. */
  readonly out: readonly string[]
  /** The state before the last match that the user decided. Going back to any other one would end it again at once. */
  readonly before: TournamentState | null
}

/** Returns the first match. `imageNames` has at least two names. */
export function firstMatch([
  left = '',
  right = '',
  ...waiting
]: readonly string[]): TournamentState {
  return { match: [left, right], winner: null, waiting, out: [], before: null }
}

/**
 * Returns the state after a match. The winner keeps its side.
 *
 * @param options - `isOtherOut`: the other image was deleted or taken out.
 */
export function afterMatch(
  state: TournamentState,
  winner: string,
  { isOtherOut = false } = {},
): TournamentState {
  if (state.match === null) return state
  const [next, ...waiting] = state.waiting
  const [left, right] = state.match
  const out = isOtherOut ? [...state.out, left === winner ? right : left] : state.out
  const before = isOtherOut ? state.before : state
  if (next === undefined) return { match: null, winner, waiting: [], out, before }
  const match = left === winner ? ([winner, next] as const) : ([next, right] as const)
  return { match, winner: null, waiting, out, before }
}
