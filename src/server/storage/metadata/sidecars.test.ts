import { expect, test } from 'vitest'
import type { Sidecars } from './found-metadata.ts'
import { readEmbeddedMetadata } from './read-embedded-metadata.ts'

const A1111 =
  'a fox <lora:ink:0.7>\nNegative prompt: blurry\nSteps: 20, Sampler: Euler a, CFG scale: 7, Seed: 5, Size: 512x512, Model: sdxl'

const read = (sidecars: Sidecars, comments: { keyword: string; text: string }[] = []) =>
  readEmbeddedMetadata({ comments, exif: null, given: null, sidecars }).metadata

const invokeai = { positive_prompt: 'a fox', negative_prompt: '', seed: 5, steps: 20 }
const fooocus = {
  ...{ prompt: 'a fox', negative_prompt: '', seed: '5', steps: 20, base_model: 'sdxl' },
  ...{ guidance_scale: 7, performance: 'Speed', metadata_scheme: 'fooocus' },
}
const easyDiffusion = {
  ...{ prompt: 'a fox', seed: 5, num_inference_steps: 20, guidance_scale: 7 },
  use_stable_diffusion_model: 'sdxl',
}
const yaml = Object.entries(easyDiffusion)
  .map(([key, value]) => `${key}: ${value}`)
  .join('\n')
const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/"><exif:UserComment>${A1111.replaceAll('<', '&lt;')}</exif:UserComment></rdf:Description>
</rdf:RDF></x:xmpmeta>`

test.each([
  ['a.txt', A1111, 'a1111'],
  ['a.png.txt', A1111, 'a1111'],
  ['a.json', JSON.stringify(invokeai), 'invokeai'],
  ['a.json', JSON.stringify(fooocus), 'fooocus'],
  ['a.json', JSON.stringify(easyDiffusion), 'easydiffusion'],
  ['a.yaml', yaml, 'easydiffusion'],
  ['a.xmp', xmp, 'a1111'],
])('reads %s beside an image as if it were embedded', (name, text, generator) => {
  const { normal } = read({ [name]: text })

  expect(normal).toMatchObject({ generator, steps: 20, raw: { sidecars: { [name]: text } } })
  expect(normal?.prompt).toContain('a fox')
  expect(String(normal?.seed)).toBe('5')
})

test('lets the file win over what is beside it', () => {
  const embedded = [{ keyword: 'parameters', text: 'a cat\nSteps: 9, Seed: 1' }]

  const { normal, invokeai: served } = read({ 'a.json': JSON.stringify(invokeai) }, embedded)

  expect(normal).toMatchObject({ generator: 'a1111', prompt: 'a cat', steps: 9 })
  expect(served).toBeNull()
})

test('reads no prompt from a caption, and survives broken and hostile files', () => {
  const bomb = `a: &a [x, x]\n${Array.from({ length: 20 }, (_, at) => `k${at}: [*a, *a]`).join('\n')}`
  const sidecars = {
    'a.txt': 'a caption for training',
    'a.json': '{"steps": ',
    'a.yaml': bomb,
    'a.xmp': '<broken',
    'b.json': '[1, 2]',
  }

  expect(read(sidecars)).toMatchObject({
    invokeai: null,
    normal: { generator: null, prompt: null, raw: { sidecars } },
  })
})
