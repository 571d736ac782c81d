import { expect, test } from 'vitest'
import { comfyuiExamples } from '#testing/library/comfyui/comfyui-graphs.ts'
import { readComfyui } from './read-comfyui.ts'

test.each(comfyuiExamples.map((example) => [example.title, example] as const))(
  'reads a graph of %s',
  (_, { graph, fields }) => {
    expect(readComfyui(graph)).toMatchObject(fields)
  },
)
