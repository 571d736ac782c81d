import { expect, test } from 'vitest'
import { savingFields } from '#server/engine/define-node.ts'
import { checkGraph } from '#server/engine/graph/check-graph.ts'
import { fieldsOf } from '#server/engine/graph/node-fields.ts'
import { reasonToRefuse } from '#server/engine/graph/read-node.ts'
import { graphOf } from '#testing/graph-of.ts'
import { nodeCatalog } from './index.ts'

const black = { r: 0, g: 0, b: 0, a: 255 }
const white = { r: 255, g: 255, b: 255, a: 255 }
const label = '* CUSTOM LABEL *'
const maxInt = 2_147_483_647

/** How a node saves: `S` with board and metadata, `S-` without, `M` as a mask. `nc` means that it is never cached. */
type Marks = '' | 'nc' | 'S' | 'S nc' | 'S-' | 'S- nc' | 'M'

/** The nodes of InvokeAI that need no model: required inputs, optional inputs, and the output if it is not an image. */
const rows: [
  type: string,
  marks: Marks,
  needs: string,
  defaults: Record<string, unknown>,
  output?: string,
][] = [
  ['boolean', '', '', { value: false }, 'boolean_output'],
  ['integer', '', '', { value: 0 }, 'integer_output'],
  ['float', '', '', { value: 0 }, 'float_output'],
  ['string', '', '', { value: '' }, 'string_output'],
  ['boolean_collection', '', '', { collection: [] }, 'boolean_collection_output'],
  ['integer_collection', '', '', { collection: [] }, 'integer_collection_output'],
  ['float_collection', '', '', { collection: [] }, 'float_collection_output'],
  ['string_collection', '', '', { collection: [] }, 'string_collection_output'],
  ['image', '', 'image', {}],
  ['image_collection', '', '', { collection: [], images: [] }, 'image_collection_output'],
  ['color', '', '', { color: black }, 'color_output'],
  ['bounding_box', '', '', { x_min: 0, y_min: 0, x_max: 0, y_max: 0 }, 'bounding_box_output'],
  ['add', '', '', { a: 0, b: 0 }, 'integer_output'],
  ['sub', '', '', { a: 0, b: 0 }, 'integer_output'],
  ['mul', '', '', { a: 0, b: 0 }, 'integer_output'],
  ['div', '', '', { a: 0, b: 0 }, 'integer_output'],
  ['integer_math', '', '', { operation: 'ADD', a: 1, b: 1 }, 'integer_output'],
  ['float_math', '', '', { operation: 'ADD', a: 1, b: 1 }, 'float_output'],
  ['rand_int', 'nc', '', { low: 0, high: maxInt }, 'integer_output'],
  ['rand_float', 'nc', '', { low: 0, high: 1, decimals: 2 }, 'float_output'],
  ['float_to_int', '', '', { value: 0, multiple: 1, method: 'Nearest' }, 'integer_output'],
  ['round_float', '', '', { value: 0, decimals: 0 }, 'float_output'],
  ['range', '', '', { start: 0, stop: 10, step: 1 }, 'integer_collection_output'],
  ['range_of_size', '', '', { start: 0, size: 1, step: 1 }, 'integer_collection_output'],
  [
    'random_range',
    'nc',
    '',
    { low: 0, high: maxInt, size: 1, seed: 0 },
    'integer_collection_output',
  ],
  ['float_range', '', '', { start: 5, stop: 10, steps: 30 }, 'float_collection_output'],
  ['if', '', '', { condition: false, true_input: null, false_input: null }, 'if_output'],
  // `isRequired` is false: the check of the graph demands the edge.
  ['iterate', 'nc', '', { collection: [], index: 0 }, 'iterate_output'],
  ['collect', 'nc', '', { item: null, collection: [] }, 'collect_output'],
  ['string_join', '', '', { string_left: '', string_right: '' }, 'string_output'],
  [
    'string_join_three',
    '',
    '',
    { string_left: '', string_middle: '', string_right: '' },
    'string_output',
  ],
  [
    'string_replace',
    '',
    '',
    { string: '', search_string: '', replace_string: '', use_regex: false },
    'string_output',
  ],
  ['string_split', '', '', { string: '', delimiter: '' }, 'string_2_output'],
  ['string_split_neg', '', '', { string: '' }, 'string_pos_neg_output'],
  ['metadata_item', '', 'label value', {}, 'metadata_item_output'],
  ['metadata', '', 'items', {}, 'metadata_output'],
  ['merge_metadata', '', 'collection', {}, 'metadata_output'],
  ['metadata_from_image', '', 'image', {}, 'metadata_output'],
  ['metadata_field_extractor', '', 'image key', {}, 'string_output'],
  ...(['string', 'integer', 'float', 'boolean'] as const).flatMap((kind) =>
    ['', '_collection'].map((list): (typeof rows)[number] => [
      `metadata_to_${kind === 'boolean' ? 'bool' : kind}${list}`,
      '',
      'default_value',
      { metadata: null, label, custom_label: null },
      `${kind}${list}_output`,
    ]),
  ),
  [
    'metadata_to_scheduler',
    '',
    '',
    { metadata: null, label: 'scheduler', custom_label: null, default_value: 'euler' },
    'scheduler_output',
  ],
  [
    'metadata_item_linked',
    '',
    'value',
    { metadata: null, label, custom_label: null },
    'metadata_output',
  ],
  ['blank_image', 'S', '', { width: 512, height: 512, mode: 'RGB', color: black }],
  ['save_image', 'S nc', 'image', {}],
  ['canvas_output', 'S- nc', 'image', {}],
  ['show_image', '', 'image', {}],
  ['img_crop', 'S', 'image', { x: 0, y: 0, width: 512, height: 512 }],
  ['img_pad_crop', 'S-', 'image', { left: 0, right: 0, top: 0, bottom: 0 }],
  ['img_paste', 'S', 'base_image image', { mask: null, x: 0, y: 0, crop: false }],
  ['img_resize', 'S', 'image', { width: 512, height: 512, resample_mode: 'bicubic' }],
  ['img_scale', 'S', 'image', { scale_factor: 2, resample_mode: 'bicubic' }],
  ['img_lerp', 'S', 'image', { min: 0, max: 255 }],
  ['img_ilerp', 'S', 'image', { min: 0, max: 255 }],
  ['img_blur', 'S', 'image', { radius: 8, blur_type: 'gaussian' }],
  ['unsharp_mask', 'S', 'image', { radius: 2, strength: 50 }],
  ['img_conv', 'S', 'image', { mode: 'L' }],
  ['img_chan', 'S', 'image', { channel: 'A' }],
  ['img_mul', 'S', 'image1 image2', {}],
  ['img_hue_adjust', 'S', 'image', { hue: 0 }],
  ['img_channel_offset', 'S', 'image channel', { offset: 0 }],
  ['img_channel_multiply', 'S', 'image channel', { scale: 1, invert_channel: false }],
  [
    'img_noise',
    'S',
    'image',
    { mask: null, seed: 0, noise_type: 'gaussian', amount: 0.1, noise_color: true, size: 1 },
  ],
  [
    'invokeai_img_enhance',
    'S',
    'image',
    { invert: false, color: 1, contrast: 1, brightness: 1, sharpness: 1 },
  ],
  ['crop_image_to_bounding_box', 'S', 'image', { bounding_box: null }],
  ['paste_image_into_bounding_box', 'S', 'source_image target_image bounding_box', {}],
  ['color_correct', 'S', 'base_image color_reference', { mask: null, colorspace: 'RGB' }],
  ['tomask', 'M', 'image', { invert: false }],
  ['mask_combine', 'M', 'mask1 mask2', {}],
  ['mask_from_id', 'M', 'image color', { threshold: 100, invert: false }],
  ['mask_edge', 'M', 'image edge_size edge_blur low_threshold high_threshold', {}],
  ['expand_mask_with_fade', 'M', 'mask', { threshold: 0, fade_size_px: 32 }],
  ['apply_mask_to_image', 'S', 'image mask', { invert_mask: false }],
  [
    'get_image_mask_bounding_box',
    '',
    'mask',
    { margin: 0, mask_color: white },
    'bounding_box_output',
  ],
  ['infill_rgba', 'S', 'image', { color: { r: 127, g: 127, b: 127, a: 255 } }],
  ['canny_edge_detection', 'S', 'image', { low_threshold: 100, high_threshold: 200 }],
  ['color_map', 'S', 'image', { tile_size: 64 }],
  [
    'image_panel_layout',
    '',
    'width height',
    { num_cols: 1, num_rows: 1, panel_col_idx: 0, panel_row_idx: 0 },
    'image_panel_coordinate_output',
  ],
  [
    'calculate_image_tiles',
    '',
    '',
    { image_width: 1024, image_height: 1024, tile_width: 576, tile_height: 576, overlap: 128 },
    'calculate_image_tiles_output',
  ],
  [
    'calculate_image_tiles_even_split',
    '',
    '',
    { image_width: 1024, image_height: 1024, num_tiles_x: 2, num_tiles_y: 2, overlap: 128 },
    'calculate_image_tiles_output',
  ],
  [
    'calculate_image_tiles_min_overlap',
    '',
    '',
    { image_width: 1024, image_height: 1024, tile_width: 576, tile_height: 576, min_overlap: 128 },
    'calculate_image_tiles_output',
  ],
  ['tile_to_properties', '', 'tile', {}, 'tile_to_properties_output'],
  ['pair_tile_image', '', 'tile image', {}, 'pair_tile_image_output'],
  ['merge_tiles_to_image', 'S', 'tiles_with_images', { blend_mode: 'Seam', blend_amount: 32 }],
]

const savingOf = (marks: Marks) => {
  const [mark] = marks.split(' ')
  if (mark === 'M') return { category: 'mask', hasBoard: true }
  return mark?.startsWith('S') ? { category: 'general', hasBoard: mark === 'S' } : null
}

test.each(rows)(
  '%s has the inputs and output of InvokeAI',
  (type, marks, needs, defaults, output = 'image_output') => {
    const definition = nodeCatalog.get(type)
    if (definition === undefined) throw new Error(`${type} is not registered`)
    const saving = savingOf(marks)
    const fields = [...fieldsOf(definition).values()].filter(
      ({ name }) => !(saving?.hasBoard && name in savingFields),
    )
    const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name)
    const optional = fields.filter(({ isRequired }) => !isRequired)

    expect(required.sort()).toEqual(needs.split(' ').filter(Boolean).sort())
    expect(Object.fromEntries(optional.map((field) => [field.name, field.default]))).toEqual(
      defaults,
    )
    expect(definition.saving).toEqual(saving)
    expect(definition.usesCache).toBe(!marks.endsWith('nc'))
    expect(definition.output.type).toBe(output)
  },
)

test('core_metadata accepts any key and requires none', () => {
  const definition = nodeCatalog.get('core_metadata')
  if (definition === undefined) throw new Error('core_metadata is not registered')

  expect(definition).toMatchObject({ retainsExtraFields: true, saving: null, usesCache: true })
  expect(definition.output.type).toBe('metadata_output')
  expect(new Set([...fieldsOf(definition).values()].map((field) => field.default))).toEqual(
    new Set([null]),
  )
})

test('registers no other nodes except for our own', () => {
  const ours = ['onnx_image']
  const named = [...rows.map(([type]) => type), 'core_metadata', ...ours]

  expect([...nodeCatalog.keys()].sort()).toEqual(named.sort())
})

/** InvokeAI nodes that this server does not have, with a word of the reason. */
test.each([
  ['infill_cv2', 'OpenCV'],
  ['cv_inpaint', 'OpenCV'],
  ['content_shuffle', 'OpenCV'],
  ['heuristic_resize', 'OpenCV'],
  ['image_batch', '`data`'],
  ['integer_batch', '`data`'],
  ['float_batch', '`data`'],
  ['string_batch', '`data`'],
  ['integer_generator', '`data`'],
])('refuses %s when it is enqueued, because it needs %s', (type, word) => {
  const checked = checkGraph(nodeCatalog, graphOf({ node: { type } }), ['graph'])

  expect(nodeCatalog.has(type)).toBe(false)
  expect(reasonToRefuse(type)).toContain(word)
  expect(JSON.stringify(checked)).toContain(word)
})

test('does not list a reason against a node that exists', () => {
  expect([...nodeCatalog.keys()].filter((type) => reasonToRefuse(type) !== null)).toEqual([])
})
