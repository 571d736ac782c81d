import { describe, expect, test } from 'vitest'
import { nodeCatalog } from '#server/engine/nodes/index.ts'
import { graphOf } from '#testing/graph-of.ts'
import { checkGraph } from './check-graph.ts'

const at = ['body', 'batch', 'graph']
const check = (graph: unknown) => checkGraph(nodeCatalog, graph, at)
const faultsOf = (graph: unknown) => {
  const checked = checkGraph(nodeCatalog, graph, at)
  return 'faults' in checked ? checked.faults : []
}

describe('reports the location of an invalid input', () => {
  test.each([
    ['an unknown type', { type: 'nope' }, 'union_tag_invalid', [], /expected tags: '/],
    ['no type', {}, 'union_tag_not_found', [], /discriminator 'type'/],
    ['a value of another type', { type: 'add', a: 'x' }, 'int_parsing', ['add', 'a'], /integer/],
    ['a fraction', { type: 'add', a: 1.5 }, 'int_from_float', ['add', 'a'], /fractional/],
    [
      'infinity',
      { type: 'float', value: Number.POSITIVE_INFINITY },
      'finite_number',
      ['float', 'value'],
      /finite/,
    ],
    [
      'infinity in an object',
      { type: 'metadata_item', value: [Number.POSITIVE_INFINITY] },
      'finite_number',
      ['metadata_item', 'value'],
      /finite/,
    ],
    ['null instead of a default', { type: 'add', a: null }, 'int_type', ['add', 'a'], /integer/],
    [
      'an item of a list',
      { type: 'integer_collection', collection: [1, 'x'] },
      'int_parsing',
      ['integer_collection', 'collection', 1],
      /integer/,
    ],
    [
      'a missing key of an object',
      { type: 'image', image: {} },
      'missing',
      ['image', 'image', 'image_name'],
      /required/,
    ],
    [
      'an unknown choice',
      { type: 'integer_math', operation: 'NOPE' },
      'literal_error',
      ['integer_math', 'operation'],
      /'ADD', 'SUB'/,
    ],
    [
      'a value out of bounds',
      { type: 'range_of_size', size: 0 },
      'greater_than',
      ['range_of_size', 'size'],
      /greater than 0/,
    ],
    [
      'division by zero',
      { type: 'integer_math', operation: 'DIV', b: 0 },
      'value_error',
      ['integer_math', 'b'],
      /^Value error, Cannot divide by zero$/,
    ],
    [
      'a range that ends before it starts',
      { type: 'range', start: 5, stop: 5 },
      'value_error',
      ['range', 'stop'],
      /stop must be greater than start/,
    ],
  ])('%s', (_name, node, type, loc, msg) => {
    expect(faultsOf({ nodes: { n: { id: 'n', ...node } } })).toEqual([
      expect.objectContaining({
        type,
        loc: [...at, 'nodes', 'n', ...loc],
        msg: expect.stringMatching(msg),
      }),
    ])
  })

  test.each([
    ['infill_cv2', 'It needs OpenCV, which this server does not have.'],
    ['denoise_latents', 'It needs a model. An InvokeAI server can run it.'],
    ['sdxl_model_loader', 'It needs a model. An InvokeAI server can run it.'],
    ['flux_text_encoder', 'It needs a model. An InvokeAI server can run it.'],
    ['flux_kontext_image_prep', 'This server does not have it. An InvokeAI server can run it.'],
    ['image_batch', 'It stands for the `data` of a batch and cannot run in a graph.'],
    ['integer_generator', 'It stands for the `data` of a batch and cannot run in a graph.'],
  ])('gives the reason for refusing %s, a node of InvokeAI', (type, reason) => {
    const [fault] = faultsOf({ nodes: { n: { id: 'n', type } } })

    expect(fault).toMatchObject({ type: 'union_tag_invalid', loc: [...at, 'nodes', 'n'] })
    expect(fault?.msg).toBe(`The node '${type}' cannot run on this server. ${reason}`)
    expect(fault?.ctx).toEqual({ discriminator: "'type'", tag: type })
  })
})

test('fills in defaults, drops unknown fields and accepts absent required inputs', () => {
  const nodes = {
    n: { type: 'save_image', nonsense: 1 },
    r: { type: 'rand_int', is_intermediate: true },
  }

  expect(check(graphOf(nodes))).toEqual({
    graph: {
      id: 'graph',
      nodes: {
        n: {
          id: 'n',
          type: 'save_image',
          is_intermediate: false,
          use_cache: false,
          image: null,
          board: null,
          metadata: null,
        },
        r: {
          id: 'r',
          type: 'rand_int',
          is_intermediate: true,
          use_cache: false,
          low: 0,
          high: 2_147_483_647,
        },
      },
      edges: [],
    },
  })
})
