import { describe, expect, test } from 'vitest'
import { graphOf, RecordingListener } from '#testing/graph-of.ts'
import { outputsOf, runLocally } from '#testing/local-nodes.ts'

const iterate = { type: 'iterate' }
const collect = { type: 'collect' }

describe('the if node', () => {
  const graph = (condition: unknown) =>
    graphOf(
      {
        c: { type: 'boolean', value: condition },
        t: { type: 'string', value: 'yes' },
        f: { type: 'integer_math', operation: 'ADD' },
        g: { type: 'add', b: 1 },
        both: { type: 'string', value: 'both' },
        if: { type: 'if' },
        end: { type: 'string_join', string_left: '> ' },
        other: { type: 'string_join' },
      },
      [
        'c.value -> if.condition',
        't.value -> if.true_input',
        'f.value -> g.a',
        'g.value -> if.false_input',
        'if.value -> end.string_right',
        'both.value -> other.string_left',
      ],
    )

  test.each([
    [true, '> yes', ['f', 'g']],
    [false, '> 3', ['t']],
  ])(
    'skips nodes that feed only the other side if the condition is %s',
    async (condition, value, skipped) => {
      const listener = new RecordingListener()

      const { session } = await runLocally(graph(condition), { listener })

      expect(listener.outputsOf('end')).toEqual([value])
      expect(skipped.flatMap((id) => listener.outputsOf(id))).toEqual([])
      expect(session.executed).toEqual(expect.arrayContaining(skipped))
      expect(session.executed_history).not.toEqual(expect.arrayContaining(skipped))
    },
  )

  test('runs a node that one of several copies needs once', async () => {
    const shared = graphOf(
      {
        l: { type: 'boolean_collection', collection: [true, false] },
        i: iterate,
        t: { type: 'string', value: 'yes' },
        if: { type: 'if', false_input: 'no' },
        c: collect,
      },
      [
        'l.collection -> i.collection',
        'i.item -> if.condition',
        't.value -> if.true_input',
        'if.value -> c.item',
      ],
    )

    expect(await outputsOf(shared, 'c', 'collection')).toEqual([['yes', 'no']])
    expect(await outputsOf(shared, 't')).toEqual(['yes'])
  })

  test('runs a nested side only if both nodes choose it', async () => {
    const nested = (outer: boolean, inner: boolean) =>
      graphOf(
        {
          t: { type: 'string', value: 'deep' },
          inner: { type: 'if', condition: inner, false_input: 'shallow' },
          outer: { type: 'if', condition: outer, false_input: 'none' },
        },
        ['t.value -> inner.true_input', 'inner.value -> outer.true_input'],
      )

    expect(await outputsOf(nested(true, true), 'outer')).toEqual(['deep'])
    expect(await outputsOf(nested(true, false), 'outer')).toEqual(['shallow'])
    expect(await outputsOf(nested(true, false), 't')).toEqual([])
    expect(await outputsOf(nested(false, true), 'inner')).toEqual([])
  })
})
