import { describe, expect, test } from 'vitest'
import { nodeCatalog } from '#server/engine/nodes/index.ts'
import { graphOf } from '#testing/graph-of.ts'
import { checkGraph } from './check-graph.ts'

const at = ['body', 'batch', 'graph']
const faultsOf = (graph: unknown) => {
  const checked = checkGraph(nodeCatalog, graph, at)
  return 'faults' in checked ? checked.faults : []
}

const list = { type: 'integer_collection', collection: [1, 2] }
const add = { type: 'add' }
const text = { type: 'string' }
const iterate = { type: 'iterate' }
const collect = { type: 'collect' }

describe('refuses invalid connections with the messages of InvokeAI', () => {
  const a = { a: add, b: add }
  test.each([
    ['Edge source node x does not exist in the graph', a, ['x.value -> b.a']],
    ['Edge destination node b does not exist in the graph', { a: add }, ['a.value -> b.a']],
    ['Edge source field nope does not exist in node a', a, ['a.nope -> b.a']],
    ['Edge destination field nope does not exist in node b', a, ['a.value -> b.nope']],
    ['Edge destination field id does not exist in node b', a, ['a.value -> b.id']],
    ['Graph contains cycles', a, ['a.value -> b.a', 'b.value -> a.a']],
    ['Graph contains cycles', { a: add }, ['a.value -> a.a']],
    [
      'Edge source and target types do not match (s.value -> a.a)',
      { s: text, a: add },
      ['s.value -> a.a'],
    ],
    ['Invalid iterator node (i): Iterator must have a collection input edge', { i: iterate }, []],
    [
      'Invalid iterator node (i): Iterator may only have one input edge',
      { l: list, m: list, i: iterate },
      ['l.collection -> i.collection', 'm.collection -> i.collection'],
    ],
    [
      'Invalid iterator node (i): Iterator input must be a collection',
      { a: add, i: iterate },
      ['a.value -> i.collection'],
    ],
    [
      'Invalid iterator node (i): Iterator outputs must connect to an input with a matching type',
      { l: { type: 'string_collection' }, i: iterate, a: add },
      ['l.collection -> i.collection', 'i.item -> a.a'],
    ],
    [
      'Invalid iterator node (i): Iterator collection type must match all iterator output types',
      { s: text, c: collect, i: iterate, a: add },
      ['s.value -> c.item', 'c.collection -> i.collection', 'i.item -> a.a'],
    ],
    [
      'Invalid collector node (c): Collector must have at least one item or collection input edge',
      { c: collect },
      [],
    ],
    [
      'Invalid collector node (c): Collector input collection items must be of a single type',
      { s: text, a: add, c: collect },
      ['s.value -> c.item', 'a.value -> c.item'],
    ],
    [
      'Invalid collector node (c): Collector collection input must be a collection',
      { a: add, c: collect },
      ['a.value -> c.collection'],
    ],
    [
      'Invalid collector node (c): Collector outputs must connect to a collection input with a matching type',
      { s: text, c: collect, l: list },
      ['s.value -> c.item', 'c.collection -> l.collection'],
    ],
  ])('%s', (message, nodes, edges) => {
    expect(faultsOf(graphOf(nodes, edges))).toEqual([
      { type: 'value_error', loc: at, msg: `Value error, ${message}`, ctx: { error: {} } },
    ])
  })

  test('Node ids must match, got a and b', () => {
    const [fault] = faultsOf({ nodes: { a: { id: 'b', type: 'add' } } })

    expect(fault?.msg).toBe('Value error, Node ids must match, got a and b')
  })

  test('refuses a node without an id', () => {
    const [fault] = faultsOf({ nodes: { a: { type: 'add' } } })

    expect(fault?.msg).toMatch(/^Value error, Node ids must match, got a and [0-9a-f-]{36}$/)
  })
})

test.each([
  ['int to float', { a: add, f: { type: 'float' } }, ['a.value -> f.value']],
  ['int to string', { a: add, s: text }, ['a.value -> s.value']],
  ['float to string', { f: { type: 'float' }, s: text }, ['f.value -> s.value']],
  ['an output of any type to any input', { i: { type: 'if' }, a: add }, ['i.value -> a.a']],
  [
    'a member of a union',
    { m: { type: 'metadata_item' }, d: { type: 'metadata' } },
    ['m.item -> d.items'],
  ],
  [
    'a chain of collect nodes',
    { a: add, c: collect, d: collect, l: list },
    ['a.value -> c.item', 'c.collection -> d.collection', 'd.collection -> l.collection'],
  ],
])('accepts %s', (_name, nodes, edges) => {
  expect(faultsOf(graphOf(nodes, edges))).toEqual([])
})
