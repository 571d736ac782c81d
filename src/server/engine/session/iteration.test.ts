import { describe, expect, test } from 'vitest'
import { MAX_PREPARED_NODES } from '#contract/limits.ts'
import { graphOf } from '#testing/graph-of.ts'
import { outputsOf, runLocally } from '#testing/local-nodes.ts'

const list = (...collection: number[]) => ({ type: 'integer_collection', collection })
const iterate = { type: 'iterate' }
const collect = { type: 'collect' }

describe('iterate', () => {
  test('copies the following nodes for each item, and collect gathers results in order', async () => {
    const graph = graphOf({ l: list(3, 1, 2), i: iterate, a: { type: 'add', b: 10 }, c: collect }, [
      'l.collection -> i.collection',
      'i.item -> a.a',
      'a.value -> c.item',
    ])

    expect(await outputsOf(graph, 'a')).toEqual([13, 11, 12])
    expect(await outputsOf(graph, 'c', 'collection')).toEqual([[13, 11, 12]])
  })

  test('runs nothing for an empty list, and collect then outputs an empty list', async () => {
    const graph = graphOf({ l: list(), i: iterate, a: { type: 'add' }, c: collect }, [
      'l.collection -> i.collection',
      'i.item -> a.a',
      'a.value -> c.item',
    ])

    expect(await outputsOf(graph, 'a')).toEqual([])
    expect(await outputsOf(graph, 'c', 'collection')).toEqual([[]])
  })

  test('combines two independent lists, and collect gathers one list', async () => {
    const graph = graphOf(
      { l: list(1, 2), m: list(10, 20), i: iterate, j: iterate, a: { type: 'add' }, c: collect },
      [
        'l.collection -> i.collection',
        'm.collection -> j.collection',
        'i.item -> a.a',
        'j.item -> a.b',
        'a.value -> c.item',
      ],
    )

    expect(await outputsOf(graph, 'c', 'collection')).toEqual([[11, 21, 12, 22]])
  })

  test('gathers a list for each item of an outer iteration, including empty ones', async () => {
    const graph = graphOf(
      {
        sizes: list(2, 1, 3),
        outer: iterate,
        range: { type: 'range_of_size', start: 5 },
        inner: iterate,
        sum: { type: 'add' },
        c: collect,
        all: collect,
      },
      [
        'sizes.collection -> outer.collection',
        'outer.item -> range.size',
        'range.collection -> inner.collection',
        'inner.item -> sum.a',
        'outer.item -> sum.b',
        'sum.value -> c.item',
        'c.collection -> all.item',
      ],
    )

    expect(await outputsOf(graph, 'c', 'collection')).toEqual([[7, 8], [6], [8, 9, 10]])
    expect(await outputsOf(graph, 'all', 'collection')).toEqual([[[7, 8], [6], [8, 9, 10]]])
  })

  test('puts lists before single items in a collect', async () => {
    const graph = graphOf({ a: { type: 'integer', value: 1 }, l: list(7, 8), c: collect }, [
      'a.value -> c.item',
      'l.collection -> c.collection',
    ])

    expect(await outputsOf(graph, 'c', 'collection')).toEqual([[7, 8, 1]])
  })

  test('fails with a clear reason beyond the limit of copies', async () => {
    const graph = graphOf(
      { r: { type: 'range_of_size', size: MAX_PREPARED_NODES + 1 }, i: iterate },
      ['r.collection -> i.collection'],
    )

    expect(await runLocally(graph)).toMatchObject({
      status: 'failed',
      fault: { type: 'TooManyNodesError' },
    })
  })
})
