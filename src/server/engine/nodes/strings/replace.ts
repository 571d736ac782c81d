import Type from 'typebox'
import { defineNode } from '#server/engine/define-node.ts'
import { stringOutput } from '#server/engine/nodes/value-outputs.ts'
import { literalPattern, pythonPattern, replaceAsPython } from './python-pattern.ts'

const text = Type.String({ default: '' })

export const stringReplaceNode = defineNode({
  type: 'string_replace',
  summary: 'Replaces a text, in whatever case, or what a regular expression matches',
  inputs: {
    string: text,
    search_string: text,
    replace_string: text,
    use_regex: Type.Boolean({ default: false }),
  },
  output: stringOutput,
  run: ({ string, search_string, replace_string, use_regex }) => {
    if (search_string === '') return { value: string }
    const pattern = use_regex ? pythonPattern(search_string) : literalPattern(search_string)
    return { value: replaceAsPython(string, pattern, replace_string) }
  },
})
