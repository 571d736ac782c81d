import { describe, expect, test } from 'vitest'
import { MAX_GRAPH_EDGES, MAX_GRAPH_NODES } from '#contract/limits.ts'
import { nodeCatalog } from '#server/engine/nodes/index.ts'
import { graphOf } from '#testing/graph-of.ts'
import { checkGraph } from './check-graph.ts'

const at = ['body', 'batch', 'graph']
const check = (graph: unknown) => checkGraph(nodeCatalog, graph, at)
const faultsOf = (graph: unknown) => {
  const checked = checkGraph(nodeCatalog, graph, at)
  return 'faults' in checked ? checked.faults : []
}

test('accepts an empty graph', () => {
  expect(check({})).toMatchObject({ graph: { nodes: {}, edges: [] } })
})

describe('a hostile graph', () => {
  test.each([
    ['a graph that is not an object', [], []],
    ['nodes as a list', { nodes: [] }, ['nodes']],
    ['an edge that is not an object', { edges: [1] }, ['edges', 0]],
    ['a node that is not an object', { nodes: { a: 1 } }, ['nodes', 'a']],
  ])('refuses %s', (_name, graph, loc) => {
    expect(faultsOf(graph)).toMatchObject([{ loc: [...at, ...loc] }])
  })

  test('refuses too many nodes or edges', () => {
    const nodes = Object.fromEntries(
      Array.from({ length: MAX_GRAPH_NODES + 1 }, (_none, index) => [index, { type: 'add' }]),
    )
    const edges = Array.from({ length: MAX_GRAPH_EDGES + 1 }, () => ({}))

    expect(faultsOf({ nodes })[0]?.msg).toContain(`at most ${MAX_GRAPH_NODES} nodes`)
    expect(faultsOf({ edges })[0]?.msg).toContain(`at most ${MAX_GRAPH_EDGES} edges`)
  })

  test('refuses a value that is nested too deeply', () => {
    const value = JSON.parse('['.repeat(5_000) + ']'.repeat(5_000))

    expect(faultsOf({ nodes: { n: { id: 'n', type: 'metadata_item', value } } })).toMatchObject([
      { msg: 'Value error, the value is nested too deep' },
    ])
  })

  test('accepts ids and fields named like object properties', () => {
    const graph = JSON.parse(
      '{"nodes":{"__proto__":{"id":"__proto__","type":"add"},"b":{"id":"b","type":"add","__proto__":{"a":1}}}}',
    )
    const edges = graphOf({}, ['__proto__.value -> b.a', '__proto__.constructor -> b.a']).edges

    expect(faultsOf({ ...graph, edges: edges.slice(0, 1) })).toEqual([])
    expect(faultsOf({ ...graph, edges })[0]?.msg).toContain('field constructor does not exist')
    expect(faultsOf({ nodes: { n: { id: 'n', type: 'toString' } } })).toMatchObject([
      { type: 'union_tag_invalid' },
    ])
  })

  test('does not echo an id of a megabyte', () => {
    const id = 'x'.repeat(1_000_000)

    expect(JSON.stringify(faultsOf({ nodes: { [id]: { type: 'nope' } } })).length).toBeLessThan(
      10_000,
    )
  })
})
