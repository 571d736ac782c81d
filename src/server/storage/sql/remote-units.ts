import type { Unit, Units } from './units.ts'

/** The units of work as functions that run them in another thread. */
export type RemoteUnits = {
  [Subject in keyof Units]: {
    [Name in keyof Units[Subject]]: Units[Subject][Name] extends Unit<infer Args, infer Result>
      ? (...args: Args) => Promise<Result>
      : never
  }
}

/** Units of work that change no list of images or boards. Some run many times a second. */
export const IN_NO_LIST =
  /^(?:queue|clientState|activeImports|workflows|savedSearches)\.|^upkeep\.setTimes$|^duplicates\.(?:un)?dismiss$/

/** The kind of each unit, by subject and name. A thread returns it when it opens the library. */
export type UnitKinds = Record<string, Record<string, Unit['kind']>>

/** Makes a function for each unit of work, without loading its SQL, which belongs in the database threads. */
export const remoteUnits = (
  kinds: UnitKinds,
  call: (unit: string, kind: Unit['kind'], args: readonly unknown[]) => Promise<unknown>,
): RemoteUnits => {
  const remote = Object.entries(kinds).map(([subject, methods]) => [
    subject,
    Object.fromEntries(
      Object.entries(methods).map(([name, kind]) => [
        name,
        (...args: unknown[]) => call(`${subject}.${name}`, kind, args),
      ]),
    ),
  ])
  return Object.fromEntries(remote)
}
