import fc from 'fast-check'
import { expect, test } from 'vitest'
import { comfyuiExamples } from '#testing/library/comfyui/comfyui-graphs.ts'
import { readComfyui, readComfyuiWorkflow } from './read-comfyui.ts'

const NODES = 5000
const node = (type: string, inputs: Record<string, unknown>) => ({ class_type: type, inputs })

/** A graph whose sampler is fed by node 0 of a chain. */
const fedBy = (chain: (next: [string, number], index: number) => unknown, words: string) => ({
  sampler: node('KSampler', {
    seed: ['0', 0],
    positive: ['0', 0],
    model: ['0', 0],
    latent_image: 1,
  }),
  save: node('SaveImage', { images: ['sampler', 0] }),
  ...Object.fromEntries(
    Array.from({ length: NODES }, (_, index) => [String(index), chain([`${index + 1}`, 0], index)]),
  ),
  [NODES]: node('CLIPTextEncode', { text: words }),
})

test('follows a chain of 5,000 nodes', () => {
  const graph = fedBy((next) => node('Reroute', { conditioning: next }), 'far away')

  expect(readComfyui(graph)).toMatchObject({ prompt: 'far away' })
})

test('limits a text that each of 5,000 nodes doubles', () => {
  const double = (next: unknown) =>
    node('StringConcatenate', { string_a: next, string_b: next, delimiter: ' ' })

  expect(readComfyui(fedBy(double, 'word'))?.prompt?.length).toBeLessThanOrEqual(50_000)
})

test('reads a graph in which 5,000 samplers feed each other in linear time', () => {
  const graph = Object.fromEntries(
    Array.from({ length: NODES }, (_, index) => {
      const link = (factor: number) => [String((index * factor + 1) % NODES), 0]
      const inputs = { positive: link(1), negative: link(3), model: link(5), pipe: link(11) }
      return [index, node('KSampler', { seed: link(7), latent_image: link(1), ...inputs })]
    }),
  )

  // A quadratic walk would need minutes, far beyond a test's time limit.
  expect(readComfyui(graph)?.passes?.length).toBeLessThan(50)
})

const types = comfyuiExamples.flatMap(({ graph }) =>
  Object.values(graph).map((each) => String(Object(each).class_type)),
)
const inputNames = comfyuiExamples.flatMap(({ graph }) =>
  Object.values(graph).flatMap((each) => Object.keys(Object(Object(each).inputs))),
)
const id = fc.integer({ min: 0, max: 12 }).map(String)
const value = fc.oneof(fc.tuple(id, fc.constant(0)), fc.tuple(id, fc.constant(1)), fc.jsonValue())
const randomNode = fc.record({
  class_type: fc.constantFrom(...types),
  inputs: fc.dictionary(fc.constantFrom(...inputNames), value, { maxKeys: 8 }),
})

test('reads any graph without an error', () => {
  fc.assert(
    fc.property(fc.dictionary(id, randomNode, { maxKeys: 12 }), (graph) => {
      const fields = readComfyui(graph)
      expect(fields?.prompt?.length ?? 0).toBeLessThanOrEqual(50_000)
      expect(fields?.loras?.length ?? 0).toBeLessThanOrEqual(200)
    }),
  )
})

const link = fc.tuple(id, id, fc.nat(3), id, fc.nat(3), fc.constant('*'))
const uiNode = fc.record({
  id,
  type: fc.constantFrom(...types, 'Reroute', 'PrimitiveNode', 'GetNode', 'SetNode', 'sub'),
  mode: fc.constantFrom(0, 2, 4, undefined),
  inputs: fc.array(fc.record({ name: fc.constantFrom(...inputNames), link: id, widget: value })),
  widgets_values: fc.oneof(fc.array(fc.jsonValue()), fc.jsonValue()),
})
const uiGraph = fc.record({
  nodes: fc.array(uiNode),
  links: fc.array(fc.oneof(link, fc.jsonValue())),
})

test('reads objects without a text in place of IDs, slots and switches', () => {
  const hostile = { toString: '', valueOf: '' }
  const sampler = { id: hostile, type: 'KSampler', inputs: [{ name: 'model', link: hostile }] }
  const array = [hostile, hostile, [hostile], hostile, hostile]
  const object = { id: 1, origin_id: hostile, origin_slot: hostile, target_id: [hostile] }
  expect(() => readComfyuiWorkflow({ nodes: [sampler], links: [array, object] })).not.toThrow()

  const lora = { lora_01: 'fur', switch_1: hostile, enabled_1: hostile, model: ['switch', 0] }
  const branches = { input1: ['sampler', 0], input2: ['sampler', 0], select: hostile }
  const graph = {
    sampler: node('KSampler', { seed: 1, positive: ['switch', 0], model: ['loras', 0] }),
    loras: node('LoRA Stacker', lora),
    switch: node('ImpactSwitch', branches),
  }
  expect(() => readComfyui(graph)).not.toThrow()
})

test('reads any workflow without an error', () => {
  fc.assert(
    fc.property(uiGraph, uiGraph, (workflow, sub) => {
      const subgraphs = [{ id: 'sub', ...sub }]
      expect(() => readComfyuiWorkflow({ ...workflow, definitions: { subgraphs } })).not.toThrow()
    }),
  )
})
