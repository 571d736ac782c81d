/** Returns the current time in milliseconds since 1970. Tests replace it. */
export type Clock = () => number

/** Formats a time for the API: `YYYY-MM-DD HH:MM:SS.mmm`, UTC. */
export const renderTimestamp = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().replace('T', ' ').slice(0, 23)
