import { expect, it } from 'vitest'
import { parseSearch } from '#contract/search/parse-search.ts'
import { finishedFaults, segmentsOf } from './search-marks.ts'

/** Returns the marked parts, such as `key model:`. */
const marked = (text: string, caret: number | null = null) => {
  const search = parseSearch(text)
  const segments = segmentsOf(text, search, finishedFaults(text, search, caret))
  expect(segments.map((segment) => segment.text).join('')).toBe(text)
  return segments.flatMap(({ kind, isExcluded, text }) =>
    kind === null ? [] : [`${isExcluded ? '-' : ''}${kind} ${text}`],
  )
}

it.each<[string, ...string[]]>([
  [''],
  ['castle "wide shot"'],
  ['castle model:"dream shaper"', 'key model:', 'value "dream shaper"'],
  ['steps>=20', 'key steps>=', 'value 20'],
  ['-neon', '-not -', '-value neon'],
  ['-lora:film', '-not -', '-key lora:', '-value film'],
  ['(a OR model:b)', 'or OR', 'key model:', 'value b'],
  ['model:a OR (b OR seed:1)', 'key model:', 'value a', 'or OR', 'or OR', 'key seed:', 'value 1'],
  ['size:10x20', 'key size:', 'value 10x20'],
  ['castle steps>x sea', 'fault steps>x'],
  ['castle model:', 'fault model:'],
])('marks the parts of %j', (text, ...parts) => {
  expect(marked(text)).toEqual(parts)
})

it('marks no fault in the condition that is being typed', () => {
  expect(marked('steps>x sea', 7)).toEqual([])
  expect(marked('steps>x sea', 0)).toEqual([])
  expect(marked('steps>x sea', 8)).toEqual(['fault steps>x'])
})
