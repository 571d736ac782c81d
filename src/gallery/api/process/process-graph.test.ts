import { expect, test } from 'vitest'
import { batchOf } from './process-graph.ts'
import type { Step } from './process-steps.ts'

const image = { image_name: 'a.png', width: 400, height: 300 }
const tall = { image_name: 'b.png', width: 100, height: 200 }

const resize = { kind: 'resize', by: 'longest', sidePx: 200, widthPx: 50, heightPx: 60 } as const
const crop = { kind: 'crop', to: 'size', proportions: '1:1', widthPx: 100, heightPx: 500 } as const
const mask = {
  kind: 'mask',
  by: 'alpha',
  color: '#ff8000',
  tolerance: 20,
  isInverted: true,
} as const
const enhance = {
  kind: 'enhance',
  brightness: 150,
  contrast: 100,
  color: 0,
  sharpness: 200,
  isInverted: false,
} as const
const lanczos = { resample_mode: 'lanczos' }

const nodesOf = (steps: readonly Step[]) => {
  const { nodes } = batchOf(steps, [image], 'preview').graph
  return Object.values(nodes as Record<string, object>)
}

test.each<[string, Step, object[]]>([
  ['longest side', resize, [{ type: 'img_resize', width: 200, height: 150, ...lanczos }]],
  ['width', { ...resize, by: 'width' }, [{ type: 'img_resize', width: 200, height: 150 }]],
  ['height', { ...resize, by: 'height' }, [{ type: 'img_resize', width: 267, height: 200 }]],
  ['both sides', { ...resize, by: 'both' }, [{ type: 'img_resize', width: 50, height: 60 }]],
  ['scale', { kind: 'scale', percent: 50 }, [{ type: 'img_scale', scale_factor: 0.5, ...lanczos }]],
  ['crop to a size', crop, [{ type: 'img_crop', x: 150, y: 0, width: 100, height: 300 }]],
  [
    'crop to proportions',
    { ...crop, to: 'proportions' },
    [{ type: 'img_crop', x: 50, y: 0, width: 300, height: 300 }],
  ],
  [
    'crop to flat proportions',
    { ...crop, to: 'proportions', proportions: '16:9' },
    [{ type: 'img_crop', x: 0, y: 37, width: 400, height: 225 }],
  ],
  [
    'pad',
    { kind: 'pad', leftPx: 1, rightPx: 2, topPx: 3, bottomPx: 4 },
    [{ type: 'img_crop', x: -1, y: -3, width: 403, height: 307 }],
  ],
  [
    'blur',
    { kind: 'blur', shape: 'box', radiusPx: 3 },
    [{ type: 'img_blur', radius: 3, blur_type: 'box' }],
  ],
  [
    'sharpen',
    { kind: 'sharpen', radiusPx: 2, percent: 80 },
    [{ type: 'unsharp_mask', radius: 2, strength: 80 }],
  ],
  [
    'enhance',
    enhance,
    [
      {
        type: 'invokeai_img_enhance',
        brightness: 1.5,
        contrast: 1,
        color: 0,
        sharpness: 2,
        invert: false,
      },
    ],
  ],
  ['convert', { kind: 'convert', mode: 'L' }, [{ type: 'img_conv', mode: 'L' }]],
  [
    'mask by alpha',
    mask,
    [
      { type: 'img_conv', mode: 'RGBA' },
      { type: 'tomask', invert: true },
    ],
  ],
  [
    'mask by brightness',
    { ...mask, by: 'brightness' },
    [
      { type: 'img_conv', mode: 'L' },
      { type: 'tomask', invert: true },
    ],
  ],
  [
    'mask by colour',
    { ...mask, by: 'color' },
    [
      {
        type: 'mask_from_id',
        color: { r: 255, g: 128, b: 0, a: 255 },
        threshold: 20,
        invert: true,
      },
    ],
  ],
  [
    'upscale',
    { kind: 'upscale', modelKey: 'k' },
    [{ type: 'onnx_image', model: { key: 'k' }, tile_size: 256, overlap: 16 }],
  ],
])('%s', (_, step, nodes) => {
  expect(nodesOf([step])).toEqual(nodes.map((node) => expect.objectContaining(node)))
})

test('connects the steps and saves only the last result on the board', () => {
  const { graph } = batchOf([resize, { kind: 'convert', mode: 'L' }], [image], { boardId: 'b1' })

  expect(graph).toEqual({
    id: 'process',
    nodes: {
      'step-1': expect.objectContaining({ is_intermediate: true, use_cache: false }),
      'step-2': expect.objectContaining({ is_intermediate: false, board: { board_id: 'b1' } }),
      metadata: expect.objectContaining({ type: 'metadata_from_image' }),
    },
    edges: [
      {
        source: { node_id: 'step-1', field: 'image' },
        destination: { node_id: 'step-2', field: 'image' },
      },
      {
        source: { node_id: 'metadata', field: 'metadata' },
        destination: { node_id: 'step-2', field: 'metadata' },
      },
    ],
  })
})

test('saves no image for a preview', () => {
  const { graph } = batchOf([resize], [image], 'preview')

  expect(graph).toMatchObject({ nodes: { 'step-1': { is_intermediate: true } }, edges: [] })
  expect(nodesOf([resize])).toHaveLength(1)
})

test('sets images and differing sizes as batch data', () => {
  const { data } = batchOf([resize], [image, tall], { boardId: 'none' })

  const items = [{ image_name: 'a.png' }, { image_name: 'b.png' }]
  expect(data).toEqual([
    [
      { node_path: 'step-1', field_name: 'image', items },
      { node_path: 'metadata', field_name: 'image', items },
      { node_path: 'step-1', field_name: 'width', items: [200, 100] },
      { node_path: 'step-1', field_name: 'height', items: [150, 200] },
    ],
  ])
})

test('computes the size of later steps from earlier ones', () => {
  const [, cropping] = nodesOf([resize, { ...crop, to: 'proportions' }])

  expect(cropping).toMatchObject({ x: 25, y: 0, width: 150, height: 150 })
})

test('refuses steps that need a size after an upscale', () => {
  const upscale = { kind: 'upscale', modelKey: 'k' } as const

  expect(() => nodesOf([upscale, resize])).toThrow('size of the image')
  expect(nodesOf([upscale, { ...resize, by: 'both' }, crop])).toHaveLength(3)
})
