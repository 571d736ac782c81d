import { expect, it } from 'vitest'
import { parseSearch } from '#contract/search/parse-search.ts'
import { completionAt } from './completion-at.ts'

/** The caret is at the `|`. */
const at = (marked: string) => {
  const caret = marked.indexOf('|')
  const text = marked.replace('|', '')
  const completion = completionAt(text, parseSearch(text), caret)
  return completion && { ...completion, replaced: text.slice(completion.start, completion.end) }
}

it.each<[string, object | null]>([
  ['|', { type: 'search' }],
  ['  |', { type: 'search', replaced: '  ' }],
  ['mo|', { type: 'key', typed: 'mo', replaced: 'mo' }],
  ['mo|del sea', { type: 'key', typed: 'mo', replaced: 'model' }],
  ['castle -mo|', { type: 'key', typed: 'mo', replaced: 'mo' }],
  ['(a OR s|', { type: 'key', typed: 's', replaced: 's' }],
  ['castle |', { type: 'key', typed: '', replaced: '' }],
  ['castle-2|', null],
  ['"wide sh|ot"', null],
  ['model:|', { type: 'value', key: 'model', typed: '', replaced: '' }],
  ['-model:fl| sea', { type: 'value', key: 'model', typed: 'fl', replaced: 'fl' }],
  ['model:"dream sh|aper" sea', { type: 'value', typed: 'dream sh', replaced: '"dream shaper"' }],
  ['shape:por|', { type: 'value', key: 'shape', typed: 'por', replaced: 'por' }],
  ['after:tod|', { type: 'value', key: 'after', typed: 'tod', replaced: 'tod' }],
  ['mod|el:flux', null],
])('completes %j', (marked, completion) => {
  const found = at(marked)
  if (completion === null) expect(found).toBeNull()
  else expect(found).toMatchObject(completion)
})
