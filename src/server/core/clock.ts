/** The time, so that tests can set it. Milliseconds since 1970. */
export type Clock = () => number

/** A stored time as it travels: `YYYY-MM-DD HH:MM:SS.mmm`, UTC. */
export const renderTimestamp = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().replace('T', ' ').slice(0, 23)
