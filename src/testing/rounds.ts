/** Returns the number of repetitions of a long test, which is higher with `npm test -- --all`. */
export const roundsOf = (rounds: { usual: number; all: number }): number =>
  process.env.TEST_ALL === undefined ? rounds.usual : rounds.all

/** Seed for the moments of the kills, from TESSERA_KILL_SEED. They also depend on the speed of the machine. */
export const killSeed = Number(process.env.TESSERA_KILL_SEED ?? 20_261_122)
