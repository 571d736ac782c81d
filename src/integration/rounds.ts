/** How often a long test repeats: more often in a thorough run (`npm test -- --thorough`). */
export const roundsOf = (rounds: { usual: number; thorough: number }): number =>
  process.env.TEST_THOROUGH === undefined ? rounds.usual : rounds.thorough

/** Set TESSERA_KILL_SEED for other moments. They also depend on the speed of the machine. */
export const killSeed = Number(process.env.TESSERA_KILL_SEED ?? 20_261_122)
