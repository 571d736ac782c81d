import { expect, test } from 'vitest'
import { graphOf } from '#testing/graph-of.ts'
import { factsOf, makesNewImages, msOf } from './queue-entry.ts'

type Nodes = Parameters<typeof graphOf>[0]

/** Creates a graph as the server returns it, with defaults. */
const graph = (nodes: Nodes, edges: readonly string[] = []) => {
  const filled = Object.entries(nodes).map(([id, node]) => {
    return [id, { is_intermediate: false, use_cache: true, ...node }]
  })
  return graphOf(Object.fromEntries(filled), edges) as Parameters<typeof factsOf>[0]
}

const save = (boardId: string | null) => ({
  type: 'save_image',
  board: boardId === null ? null : { board_id: boardId },
})

test.each([
  { boardId: 'portraits', of: graph({ a: save('portraits') }) },
  { boardId: 'none', of: graph({ a: save(null) }) },
  { boardId: 'none', of: graph({ a: { type: 'add' } }) },
  {
    // The board of the last node, in any order of the nodes.
    boardId: 'last',
    of: graph({ end: save('last'), first: { ...save('first'), type: 'img_blur' } }, [
      'first.image -> end.image',
    ]),
  },
  {
    // An intermediate image has no board.
    boardId: 'first',
    of: graph({ first: save('first'), end: { ...save('last'), is_intermediate: true } }, [
      'first.image -> end.image',
    ]),
  },
])('saves images on $boardId', ({ boardId, of }) => {
  expect(factsOf(of, 0).boardId).toBe(boardId)
})

test('recognizes a graph that saves no images', () => {
  expect(factsOf(graph({ a: { type: 'add', a: 1, b: 2 } }), 0).makesImages).toBe(false)
  expect(factsOf(graph({ a: save(null) }), 0).makesImages).toBe(true)
})

test.each([
  { type: 'save_image', is_intermediate: false, isNew: true },
  { type: 'save_image', is_intermediate: true, isNew: false },
  { type: 'load_image', is_intermediate: false, isNew: false },
])('the output of $type is new: $isNew', ({ isNew, ...node }) => {
  expect(makesNewImages({ id: 'node', use_cache: true, ...node })).toBe(isNew)
})

test('reads the prompt from the metadata and the size from the saving node', () => {
  const facts = factsOf(
    graph({
      words: { type: 'core_metadata', positive_prompt: 'a castle' },
      resize: { ...save('none'), type: 'img_resize', width: 640, height: 480 },
    }),
    3,
  )

  expect(facts).toMatchObject({
    prompt: 'a castle',
    sizePx: { width: 640, height: 480 },
    nodeCount: 2,
    priority: 3,
  })
})

test.each(['2026-11-21 07:32:39.125', '2026-11-21T07:32:39.125Z'])('parses %s', (text) => {
  expect(msOf(text)).toBe(Date.UTC(2026, 10, 21, 7, 32, 39, 125))
})
