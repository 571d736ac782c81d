import { Refusal } from './refusal.ts'

/** @throws {Refusal} `unknown_time_zone`. */
export const assertTimeZone = (timeZone: string): void => {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
  } catch {
    throw new Refusal('unknown_time_zone', `There is no time zone named "${timeZone}".`)
  }
}
