const form = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d{1,6})?)Z?$/

/** Reads a time as it travels, in milliseconds since 1970. null: it is none. */
export function parseTimestamp(text: string | undefined): number | null {
  const [, date, time] = form.exec(text?.trim() ?? '') ?? []
  const milliseconds = Date.parse(`${date}T${time}Z`)
  return Number.isNaN(milliseconds) ? null : milliseconds
}
