/** Returns the texts of the files beside an imported file, by name. A file can embed another value in their place. */
export const sidecarTextsIn = (value: unknown): Record<string, string> =>
  typeof value !== 'object' || value === null
    ? {}
    : Object.fromEntries(
        Object.entries(value).filter(
          (entry): entry is [string, string] => typeof entry[1] === 'string',
        ),
      )
