import type { Figure } from '#bench/figures.ts'
import type { Library, Measured } from './record-measures.ts'

type Engine = Library['engine']

const FRONT = 'page of 100 at the front'
const BY_KEY = 'page of 100 in the middle, by key'
const BY_POSITION = 'page of 100 in the middle, by position'
const BOARDS = '300 boards with covers and counts'
const WORDS = [
  'first search, word of a tenth',
  'first search, frequent word',
  'search, word of a tenth, after a change',
  'search, frequent word, after a change',
]

/** Compares PostgreSQL with its own smallest library and with the embedded database. */
export const databaseMarks = (measured: readonly Measured[]): Figure[] => {
  const valuesOf = (name: string, engine: Engine) =>
    measured
      .find(({ measure }) => measure.name === name)
      ?.values.filter((value) => value.engine === engine) ?? []
  const growth = (name: string): Figure[] => {
    const values = valuesOf(name, 'PostgreSQL')
    return compared(`${name}, growth`, values.at(-1), values[0], 'at most 2 x')
  }
  const aside = (name: string, mark: string): Figure[] => {
    const embedded = valuesOf(name, 'embedded').at(-1)
    const stored = valuesOf(name, 'PostgreSQL').find(({ rows }) => rows === embedded?.rows)
    return compared(`${name}, next to the embedded database`, stored, embedded, mark)
  }
  return [
    ...growth(FRONT),
    ...growth(BY_KEY),
    ...compared(
      `${BY_POSITION}, against the front`,
      valuesOf(BY_POSITION, 'PostgreSQL').at(-1),
      valuesOf(FRONT, 'PostgreSQL').at(-1),
      'at most 3 x',
    ),
    ...aside(BOARDS, 'at most 2 x'),
    ...aside(FRONT, 'at most 5 ms more'),
    ...WORDS.flatMap((name) => aside(name, 'p95 at most 150 ms')),
  ]
}

const compared = (
  name: string,
  one: Measured['values'][number] | undefined,
  other: Measured['values'][number] | undefined,
  mark: string,
): Figure[] => {
  if (one === undefined || other === undefined) return []
  const size = `${one.rows.toLocaleString('en')} rows`
  const baseline = {
    name: `${other.engine}, ${other.rows.toLocaleString('en')} rows`,
    value: other.value,
  }
  return [{ name: `PostgreSQL: ${name}, ${size}`, value: one.value, unit: 'ms', baseline, mark }]
}
