import { expect, test } from 'vitest'
import { outputOf } from '#testing/local-nodes.ts'

const black = { r: 0, g: 0, b: 0, a: 255 }

test.each([
  ['boolean', {}, { type: 'boolean_output', value: false }],
  ['boolean', { value: true }, { type: 'boolean_output', value: true }],
  ['integer', {}, { type: 'integer_output', value: 0 }],
  ['integer', { value: '7' }, { type: 'integer_output', value: 7 }],
  ['float', { value: 1.5 }, { type: 'float_output', value: 1.5 }],
  ['string', {}, { type: 'string_output', value: '' }],
  ['string', { value: 7 }, { type: 'string_output', value: '7' }],
  ['boolean_collection', {}, { type: 'boolean_collection_output', collection: [] }],
  [
    'integer_collection',
    { collection: [1] },
    { type: 'integer_collection_output', collection: [1] },
  ],
  [
    'float_collection',
    { collection: [0.5] },
    { type: 'float_collection_output', collection: [0.5] },
  ],
  [
    'string_collection',
    { collection: ['a'] },
    { type: 'string_collection_output', collection: ['a'] },
  ],
  [
    'image_collection',
    { collection: [{ image_name: 'dropped' }], images: [{ image_name: 'a' }] },
    { type: 'image_collection_output', collection: [{ image_name: 'a' }] },
  ],
  ['color', {}, { type: 'color_output', color: black }],
  ['color', { color: { ...black, r: 9 } }, { type: 'color_output', color: { ...black, r: 9 } }],
  [
    'bounding_box',
    { x_max: 3 },
    {
      type: 'bounding_box_output',
      bounding_box: { x_min: 0, x_max: 3, y_min: 0, y_max: 0, score: null },
    },
  ],
])('%s of %j', async (type, inputs, output) => {
  expect(await outputOf(type, inputs)).toEqual(output)
})

test.each([
  [{ x_min: 1 }, 'x_min (1) is greater than x_max (0).'],
  [{ y_min: 1 }, 'y_min (1) is greater than y_max (0).'],
])('refuses the box %j when it runs', async (inputs, message) => {
  await expect(outputOf('bounding_box', inputs)).rejects.toThrow(message)
})

test.each(['image', 'show_image'])('%s outputs an existing image and its size', async (type) => {
  const record = { image_name: 'a.png', width: 3, height: 2 }
  const library = {
    image: async (name: string) => (name === record.image_name ? (record as never) : null),
    openFile: async () => null,
    metadata: async () => null,
  }

  expect(await outputOf(type, { image: { image_name: 'a.png' } }, library)).toEqual({
    type: 'image_output',
    image: { image_name: 'a.png' },
    width: 3,
    height: 2,
  })
  await expect(outputOf(type, { image: { image_name: 'b.png' } }, library)).rejects.toMatchObject({
    type: 'ImageRecordNotFoundException',
  })
})
