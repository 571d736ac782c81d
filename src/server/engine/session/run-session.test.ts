import { describe, expect, test } from 'vitest'
import { graphOf, RecordingListener } from '#testing/graph-of.ts'
import { createLocalNodes, outputsOf, runLocally } from '#testing/local-nodes.ts'

const texts = (...collection: string[]) => ({ type: 'string_collection', collection })
const iterate = { type: 'iterate' }

test('runs ready nodes grouped by type', async () => {
  const listener = new RecordingListener()
  const nodes = {
    s1: { type: 'string' },
    b1: { type: 'boolean' },
    s2: { type: 'string' },
    b2: { type: 'boolean' },
  }

  await runLocally(graphOf(nodes), { listener })

  expect(listener.started.map(({ type }) => type)).toEqual([
    'boolean',
    'boolean',
    'string',
    'string',
  ])
})

describe('a run', () => {
  test('prefers the value of an edge to the value in the node', async () => {
    const graph = graphOf({ a: { type: 'integer', value: 4 }, b: { type: 'add', a: 100, b: 1 } }, [
      'a.value -> b.a',
    ])

    expect(await outputsOf(graph, 'b')).toEqual([5])
  })

  test('formats floats for text inputs like Python', async () => {
    const graph = graphOf({ f: { type: 'float', value: 2 }, s: { type: 'string' } }, [
      'f.value -> s.value',
    ])

    expect(await outputsOf(graph, 's')).toEqual(['2.0'])
  })

  test('writes batch values into their node before it runs', async () => {
    const listener = new RecordingListener()
    const fieldValues = [{ node_path: 'a', field_name: 'a', value: 41 }]

    const { session } = await runLocally(graphOf({ a: { type: 'add', b: 1 } }), {
      listener,
      fieldValues,
    })

    expect(listener.outputsOf('a')).toEqual([42])
    expect(session.graph.nodes.a).toMatchObject({ a: 41 })
  })

  test.each([
    ['a batch', { a: { type: 'add' } }, [], [{ node_path: 'a', field_name: 'a', value: 'x' }]],
    [
      'an edge',
      { i: { type: 'if', condition: true, true_input: 'x' }, a: { type: 'add' } },
      ['i.value -> a.a'],
      [],
    ],
    [
      'an edge that violates a rule of the node',
      { z: { type: 'integer' }, a: { type: 'integer_math', operation: 'DIV' } },
      ['z.value -> a.b'],
      [],
    ],
  ])(
    'fails with NodeInputError if the value of %s is invalid',
    async (_name, nodes, edges, fieldValues) => {
      const listener = new RecordingListener()

      const end = await runLocally(graphOf(nodes, edges), { listener, fieldValues })

      expect(end).toMatchObject({ status: 'failed', fault: { type: 'NodeInputError' } })
      expect(end.fault?.message).toMatch(
        /^Node [0-9a-f-]{36} has invalid incoming input for [ab]: /,
      )
      expect(listener.lines.at(-1)).toBe('error a: NodeInputError')
    },
  )

  test('fails with MissingInputException if a required input is missing', async () => {
    const listener = new RecordingListener()

    const end = await runLocally(graphOf({ a: { type: 'save_image' } }), { listener })

    expect(listener.lines).toEqual(['started a', 'error a: MissingInputException'])
    expect(end.fault?.message).toBe('Node save_image missing value or connection for field image')
  })
})

test('ends the run at the first failure and retains earlier results', async () => {
  const graph = graphOf(
    { a: { type: 'integer', value: 1 }, d: { type: 'div' }, after: { type: 'string' } },
    ['a.value -> d.a', 'd.value -> after.value'],
  )

  const { status, fault, session } = await runLocally(graph)

  const [failed = ''] = session.source_prepared_mapping.d ?? []
  expect(status).toBe('failed')
  expect(fault).toMatchObject({ type: 'ZeroDivisionError', message: 'division by zero' })
  expect(session.errors).toEqual({ [failed]: 'ZeroDivisionError: division by zero' })
  expect(session.executed_history).toEqual(['a'])
  expect(Object.values(session.results)).toEqual([
    { type: 'integer_output', value: 1, output_meta: null },
  ])
})

test.each([
  ['float_math', { operation: 'SQRT', a: -1 }, /not a finite number \(value is NaN\)/],
  ['float_math', { operation: 'EXP', a: 10, b: 999 }, /not a finite number \(value is Infinity\)/],
])('fails a node whose result %s cannot be stored', async (type, inputs, message) => {
  const { fault } = await runLocally(graphOf({ a: { type, ...inputs } }))

  expect(fault?.message).toMatch(message)
})

test('fails a run whose values exceed the size limit', async () => {
  const doubled = Array.from({ length: 30 }, (_none, index) => [
    `n${index}`,
    { type: 'string_join' },
  ])
  const edges = doubled
    .slice(1)
    .flatMap(([id], index) => [
      `n${index}.value -> ${id}.string_left`,
      `n${index}.value -> ${id}.string_right`,
    ])
  const nodes = {
    ...Object.fromEntries(doubled),
    n0: { type: 'string_join', string_left: 'x'.repeat(1000) },
  }

  expect((await runLocally(graphOf(nodes, edges))).fault?.type).toBe('TooMuchDataError')
})

test('records the session in the format of the API', async () => {
  const graph = graphOf({ l: texts('a', 'b'), i: iterate, s: { type: 'string' } }, [
    'l.collection -> i.collection',
    'i.item -> s.value',
  ])

  const { session } = await runLocally(graph)

  const [first = '', second = ''] = session.source_prepared_mapping.s ?? []
  const [list = ''] = session.source_prepared_mapping.l ?? []
  expect(session).toMatchObject({
    id: 'session',
    executed_history: ['l', 'i', 's'],
    errors: {},
    ready_order: [],
    max_workflow_call_depth: 4,
  })
  expect(session.prepared_iteration_paths).toMatchObject({
    [list]: [],
    [first]: [0],
    [second]: [1],
  })
  expect(session.results[second]).toEqual({ type: 'string_output', value: 'b', output_meta: null })
  expect(session.execution_graph.nodes[second]).toMatchObject({ id: second, value: 'b' })
  expect(session.prepared_source_mapping[first]).toBe('s')
  expect(session.indegree[first]).toBe(0)
  expect(session.executed).toEqual(expect.arrayContaining(['l', 'i', 's', list, first, second]))
  expect(session.execution_graph.edges).toHaveLength(4)
})

test('ends a canceled run with the results so far', async () => {
  const cancel = new AbortController()
  const listener = new RecordingListener((id) => id === 'b' && cancel.abort())
  const graph = graphOf({ a: { type: 'add' }, b: { type: 'string' }, c: { type: 'string' } }, [
    'a.value -> b.value',
    'b.value -> c.value',
  ])

  const end = await runLocally(graph, {
    listener,
    signal: cancel.signal,
    nodes: createLocalNodes(),
  })

  expect(end).toMatchObject({
    status: 'canceled',
    fault: null,
    session: { executed_history: ['a'] },
  })
  expect(listener.lines).toEqual(['started a', 'complete a', 'started b'])
})
