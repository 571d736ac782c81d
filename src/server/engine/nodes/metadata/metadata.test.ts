import { expect, test } from 'vitest'
import { graphOf, RecordingListener } from '#testing/graph-of.ts'
import { outputOf, runLocally } from '#testing/local-nodes.ts'

const app_version = '6.14.0'
const item = (label: string, value: unknown) => ({ label, value })

test.each([
  ['metadata_item', item('seed', 7), { item: item('seed', 7) }],
  ['metadata', { items: item('seed', 7) }, { metadata: { seed: 7, app_version } }],
  [
    'metadata',
    { items: [item('a', 1), item('b', [2]), item('a', 3)] },
    { metadata: { a: 3, b: [2], app_version } },
  ],
  [
    'core_metadata',
    { seed: 7, steps: null, my_own: { x: 1 } },
    { metadata: { seed: 7, my_own: { x: 1 }, app_version } },
  ],
  ['merge_metadata', { collection: [{ a: 1, b: 2 }, { b: 3 }] }, { metadata: { a: 1, b: 3 } }],
])('%s of %j', async (type, inputs, output) => {
  expect(await outputOf(type, inputs)).toEqual({ type: expect.any(String), ...output })
})

const metadata: Record<string, unknown> = { seed: 7, prompt: 'a cat', tiled: false }
const library = {
  image: async (name: string) => (name === 'none' ? null : ({} as never)),
  openFile: async () => null,
  metadata: async (name: string) => (name === 'with' ? metadata : null),
}
const ask = (type: string, image_name: string, inputs = {}) =>
  outputOf(type, { image: { image_name }, ...inputs }, library)

test('returns the metadata of an image, or empty metadata if it has none', async () => {
  expect((await ask('metadata_from_image', 'with')).metadata).toEqual(metadata)
  expect((await ask('metadata_from_image', 'without')).metadata).toEqual({})
  expect((await ask('metadata_field_extractor', 'with', { key: 'prompt' })).value).toBe('a cat')
})

test.each([
  ['with', 'nope', "No key 'nope' found in the metadata for with"],
  ['with', 'constructor', "No key 'constructor' found in the metadata for with"],
  ['with', 'seed', "Metadata at key 'seed' must be a string"],
  ['without', 'prompt', 'No metadata found on image without'],
  ['none', 'prompt', 'Image record not found: none'],
])('refuses a field of %s with the key %s: %s', async (image_name, key, message) => {
  await expect(ask('metadata_field_extractor', image_name, { key })).rejects.toThrow(message)
})

const lookUp = async (type: string, items: unknown, inputs: Record<string, unknown>) => {
  const listener = new RecordingListener()
  const { fault } = await runLocally(
    graphOf({ m: { type: 'metadata', items }, x: { type, ...inputs } }, [
      'm.metadata -> x.metadata',
    ]),
    { listener },
  )
  if (fault) return fault.message
  const [output] = listener.results.filter(([id]) => id === 'x').map(([, result]) => result)
  const { type: _, ...values } = output ?? { type: '' }
  return Object.values(values)[0]
}

test.each([
  ['metadata_to_string', 7, 'x', '7'],
  ['metadata_to_string', true, 'x', 'True'],
  ['metadata_to_integer', '12', 0, 12],
  ['metadata_to_integer', 3.7, 0, 3],
  ['metadata_to_float', '1.5', 0, 1.5],
  ['metadata_to_bool', 'no', false, true],
  ['metadata_to_bool', [], true, false],
  ['metadata_to_string_collection', ['a', 7], [], ['a', '7']],
  ['metadata_to_integer_collection', [1, '2'], [], [1, 2]],
  ['metadata_to_float_collection', [0.5], [], [0.5]],
  ['metadata_to_bool_collection', [0, 'no'], [], [false, true]],
  ['metadata_to_scheduler', 'dpmpp_2m', 'euler', 'dpmpp_2m'],
])('%s reads %j', async (type, value, default_value, expected) => {
  expect(await lookUp(type, [item('it', value)], { label: 'it', default_value })).toEqual(expected)
  const custom = { label: '* CUSTOM LABEL *', custom_label: 'it', default_value }
  expect(await lookUp(type, [item('it', value)], custom)).toEqual(expected)
})

test('returns the default for a missing key and fails for an unreadable value', async () => {
  const of = { label: 'other', default_value: 5 }

  expect(await lookUp('metadata_to_integer', [item('it', 1)], of)).toBe(5)
  expect(await lookUp('metadata_to_integer', [item('other', '1.5')], of)).toContain(
    'invalid literal',
  )
  expect(await lookUp('metadata_to_float', [item('other', 'x')], of)).toContain('could not convert')
  const list = { label: 'other', default_value: [5] }
  expect(await lookUp('metadata_to_integer_collection', [item('it', 1)], list)).toEqual([5])
  expect(await lookUp('metadata_to_integer_collection', [item('other', 1)], list)).toBe(
    'not a list: 1',
  )
})

test('sets a key in metadata, or creates metadata with it', async () => {
  const set = { custom_label: 'seed', value: 9 }

  expect(await lookUp('metadata_item_linked', [item('seed', 7), item('a', 1)], set)).toEqual({
    seed: 9,
    a: 1,
    app_version,
  })
  expect(await outputOf('metadata_item_linked', set)).toMatchObject({
    metadata: { seed: 9, app_version },
  })
})

test('requires a custom label', async () => {
  await expect(outputOf('metadata_to_string', { default_value: '' })).rejects.toThrow(
    'You must enter a Custom Label',
  )
})
