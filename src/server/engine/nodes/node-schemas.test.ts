import { expect, test } from 'vitest'
import { nodeCatalog, nodeSchemas } from './index.ts'

const schemas = nodeSchemas()

test('describes the inputs and the output of each node type', () => {
  expect(Object.keys(schemas).filter((name) => name.endsWith('Invocation'))).toHaveLength(
    nodeCatalog.size,
  )
  expect(JSON.parse(JSON.stringify(schemas.AddInvocation))).toEqual({
    type: 'object',
    description: 'a + b',
    additionalProperties: false,
    required: ['id', 'type'],
    properties: {
      id: { type: 'string' },
      is_intermediate: { type: 'boolean', default: false },
      use_cache: { type: 'boolean', default: true },
      a: { type: 'integer', default: 0 },
      b: { type: 'integer', default: 0 },
      type: { type: 'string', const: 'add' },
    },
  })
  expect(schemas.IntegerOutput).toMatchObject({ properties: { value: { type: 'integer' } } })
})

test('describes how a node differs from InvokeAI', () => {
  const differing = [...nodeCatalog.values()].filter(({ differs }) => differs !== undefined)

  expect(differing.map(({ type }) => type).sort()).toEqual([
    'color_correct',
    'color_map',
    'img_channel_multiply',
    'img_channel_offset',
    'img_ilerp',
    'img_resize',
    'img_scale',
    'infill_rgba',
  ])
  expect(schemas.ColorMapInvocation).toHaveProperty(
    'description',
    expect.stringContaining('. Differs from InvokeAI: a block has the average color'),
  )
})

test('shows board and metadata only for nodes that save to a board', () => {
  expect(schemas.SaveImageInvocation).toHaveProperty('properties.board')
  expect(schemas.SaveImageInvocation).toHaveProperty('properties.metadata')
  expect(schemas.CanvasOutputInvocation).not.toHaveProperty('properties.board')
})

test('gives each output name to one output', () => {
  const shapes = new Map<string, string>()
  for (const { output } of nodeCatalog.values()) {
    const shape = JSON.stringify(output.fields)
    expect(shapes.get(output.type) ?? shape).toBe(shape)
    shapes.set(output.type, shape)
  }
})
