import Type from 'typebox'
import { defineNode } from '#server/engine/define-node.ts'

/**
 * InvokeAI's reading of `[...]`: an opening bracket becomes a space of the negative text and a closing one
 * goes; a bracket behind a backslash is a letter like any other, and so is the backslash.
 */
function splitNegative(text: string) {
  const parts = { positive_string: '', negative_string: '' }
  let depth = 0
  let isEscaped = false
  for (const char of text) {
    if (char === '[' && !isEscaped) {
      parts.negative_string += ' '
      depth += 1
    } else if (char === ']' && !isEscaped) {
      depth -= 1
    } else {
      parts[depth > 0 ? 'negative_string' : 'positive_string'] += char
    }
    isEscaped = char === '\\' && !isEscaped
  }
  return parts
}

export const stringSplitNegativeNode = defineNode({
  type: 'string_split_neg',
  summary: 'Takes what stands in [brackets] out of a prompt, as its negative',
  inputs: { string: Type.String({ default: '' }) },
  output: {
    type: 'string_pos_neg_output',
    fields: Type.Object({ positive_string: Type.String(), negative_string: Type.String() }),
  },
  run: ({ string }) => splitNegative(string),
})
