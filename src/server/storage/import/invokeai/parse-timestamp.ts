const timestamp = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d+)?)(Z|[+-]\d\d:?\d\d)?$/

/** InvokeAI's times are UTC and name no zone (wire 0). Milliseconds since 1970; null: it is no time. */
export const parseTimestamp = (text: unknown): number | null => {
  const [, date, time, zone = 'Z'] = typeof text === 'string' ? (timestamp.exec(text) ?? []) : []
  const at = Date.parse(`${date}T${time}${zone}`)
  return Number.isNaN(at) ? null : at
}
