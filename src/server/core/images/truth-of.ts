const truths = new Map([
  ...['1', 'on', 't', 'true', 'y', 'yes'].map((word) => [word, true] as const),
  ...['0', 'off', 'f', 'false', 'n', 'no'].map((word) => [word, false] as const),
])

/** What a word or a number stands for, as pydantic reads it; undefined: for neither (wire 0). */
export const truthOf = (input: string | number): boolean | undefined =>
  truths.get(String(input).toLowerCase())
