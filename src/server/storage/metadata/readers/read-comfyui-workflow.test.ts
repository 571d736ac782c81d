import { expect, test } from 'vitest'
import { readComfyuiWorkflow } from './read-comfyui.ts'

const link = (id: number, from: number, to: number, slot = 0) => [id, from, slot, to, 0, '*']
const input = (name: string, id: number, type = '*') => ({ name, type, link: id })

/** A workflow in which a subgraph (`encode`) encodes the prompt, and a LoRA is bypassed. */
const workflow = {
  nodes: [
    { id: 1, type: 'CheckpointLoaderSimple', widgets_values: ['dir/meadowXL.safetensors'] },
    {
      id: 2,
      type: 'LoraLoaderModelOnly',
      mode: 4,
      inputs: [input('model', 10, 'MODEL')],
      outputs: [{ type: 'MODEL' }],
      widgets_values: ['off.safetensors', 1],
    },
    { id: 3, type: 'PrimitiveNode', widgets_values: ['tall grass', 'fixed'] },
    { id: 57, type: 'encode', inputs: [input('text', 11)] },
    { id: 4, type: 'Reroute', inputs: [input('', 12)] },
    {
      id: 5,
      type: 'KSampler',
      inputs: [input('model', 13), input('positive', 14), input('negative', 15)],
      widgets_values: [321, 'randomize', 20, 5.5, 'euler', 'normal', 1],
    },
    { id: 6, type: 'CLIPTextEncode', widgets_values: ['noise'] },
    { id: 7, type: 'KSampler', mode: 2, widgets_values: [1, 'fixed', 1] },
    { id: 8, type: 'SaveImage', inputs: [input('images', 16)], widgets_values: ['x'] },
  ],
  links: [
    link(10, 1, 2),
    link(11, 3, 57),
    link(12, 57, 4),
    link(13, 2, 5),
    link(14, 4, 5),
    link(15, 6, 5),
    link(16, 5, 8),
  ],
  definitions: {
    subgraphs: [
      {
        id: 'encode',
        nodes: [
          { id: 3, type: 'CLIPTextEncode', inputs: [input('text', 1)], widgets_values: [''] },
        ],
        links: [
          { id: 1, origin_id: -10, origin_slot: 0, target_id: 3, target_slot: 0 },
          { id: 2, origin_id: 3, origin_slot: 0, target_id: -20, target_slot: 0 },
        ],
      },
    ],
  },
}

test('reads a workflow without the graph that ran: subgraphs, reroutes, bypassed and muted nodes', () => {
  expect(readComfyuiWorkflow(workflow)).toMatchObject({
    prompt: 'tall grass',
    negative_prompt: 'noise',
    model: 'meadowXL',
    loras: [],
    seed: 321,
    steps: 20,
    cfg_scale: 5.5,
    sampler: 'euler',
  })
})

test('reads widgets of unknown nodes by the names that newer editors write', () => {
  const named = (name: string) => ({ name, link: null, widget: { name } })
  const sampler = {
    id: 5,
    type: 'NewSampler',
    inputs: [input('positive', 1), named('noise_seed'), named('steps')],
    widgets_values: [9, 'fixed', 4],
  }
  const words = { id: 6, type: 'NewEncoder', inputs: [named('text')], widgets_values: ['reeds'] }

  expect(readComfyuiWorkflow({ nodes: [sampler, words], links: [link(1, 6, 5)] })).toMatchObject({
    prompt: 'reeds',
    seed: 9,
    steps: 4,
  })
})

test('ends in a workflow whose subgraph contains itself', () => {
  const nodes = [
    { id: 1, type: 'loop', inputs: [input('x', 1)] },
    { id: 2, type: 'loop', inputs: [input('x', 1)] },
    { id: 3, type: 'CLIPTextEncode', widgets_values: ['inside the loop'] },
  ]
  const loop = { id: 'loop', nodes, links: [link(1, 1, 2), link(2, 2, -20)] }

  expect(
    readComfyuiWorkflow({ nodes, links: [], definitions: { subgraphs: [loop] } }),
  ).toMatchObject({ texts: ['inside the loop'] })
})
