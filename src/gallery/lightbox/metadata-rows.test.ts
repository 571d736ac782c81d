import { afterAll, beforeAll, expect, test } from 'vitest'
import type { NormalMetadata } from '#contract/metadata.ts'
import { setLocale } from '#gallery/ui/text/locale.ts'
import { imageRecord } from '#testing/fake-fetch.ts'
import {
  fileRows,
  isShort,
  makerRows,
  modelRows,
  parameterRows,
  passRows,
  promptRows,
  textOf,
  trashRows,
} from './metadata-rows.ts'

beforeAll(() => setLocale('en-US'))
afterAll(() => setLocale(undefined))

const nothing: NormalMetadata = {
  generator: null,
  prompt: null,
  negative_prompt: null,
  model: null,
  seed: null,
  steps: null,
  cfg_scale: null,
  sampler: null,
  scheduler: null,
  loras: [],
  width: null,
  height: null,
  camera: null,
  lens: null,
  exposure: null,
  raw: {},
}

const image = imageRecord({
  file_name: 'castle.png',
  file_size: 1_234_567,
  media_type: 'image/png',
})

const labels = (rows: { label: string }[]) => rows.map(({ label }) => label)

test('creates no rows for missing metadata', () => {
  expect(promptRows(nothing)).toEqual([])
  expect(modelRows(nothing)).toEqual([])
  expect(parameterRows(nothing)).toEqual([])
})

test('shows a seed of zero', () => {
  expect(parameterRows({ ...nothing, seed: 0 })).toMatchObject([{ label: 'Seed', value: '0' }])
})

test('creates a row per LoRA with its weight, and searches by its name', () => {
  const rows = modelRows({
    ...nothing,
    loras: [
      { name: 'ink', weight: 0.7 },
      { name: 'fog', weight: null },
    ],
  })

  expect(rows).toEqual([
    { label: 'LoRA', value: 'ink (0.7)', search: 'ink', condition: 'lora="ink"' },
    { label: 'LoRA', value: 'fog', search: 'fog', condition: 'lora="fog"' },
  ])
})

test('omits a scheduler that repeats the sampler', () => {
  const rows = parameterRows({ ...nothing, sampler: 'euler_a', scheduler: 'euler_a' })

  expect(labels(rows)).toEqual(['Sampler'])
})

test('shows the file size in units, and copies it in bytes', () => {
  const bytes = fileRows(image, null, 'Castles').find(({ label }) => label === 'File size')

  expect(bytes).toMatchObject({ value: '1.2 MiB (1,234,567 bytes)', copied: '1234567' })
})

test('omits file name and size if the server has none', () => {
  const rows = fileRows(
    { ...image, file_name: null, file_size: null, media_type: null },
    null,
    undefined,
  )

  expect(labels(rows)).toEqual(['Dimensions', 'Added'])
})

test('shows the board and the time left of an image in the trash', () => {
  const deleted = { ...image, deleted_at: '2026-11-22 12:00:00.000' }
  const rows = trashRows(deleted, { origin: 'Castles', timeLeft: '12 days left' })

  expect(rows.map(({ value }) => value)).toEqual([
    'Castles',
    expect.stringContaining('2026'),
    '12 days left',
  ])
})

test('writes all rows as text', () => {
  const rows = [
    ...promptRows({ ...nothing, prompt: 'a castle' }),
    ...fileRows(image, null, 'Castles'),
  ]

  expect(textOf(rows).split('\n').slice(0, 3)).toEqual([
    'Prompt: a castle',
    'File name: castle.png',
    'Board: Castles',
  ])
})

test('names the generator with its version, and says that an image was made with AI', () => {
  const made = { ...nothing, generator: 'forge' as const, generator_version: 'v2.0' }
  const source_type = 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia'

  expect(makerRows({ ...made, source_type })).toEqual([
    { label: 'Generator', value: 'Forge v2.0', condition: 'generator="forge"' },
    { label: 'Origin', value: 'Made with AI' },
  ])
  expect(makerRows({ ...nothing, source_type: 'constructor' })).toEqual([
    { label: 'Origin', value: 'constructor' },
  ])
  expect(makerRows({ ...nothing, generator: 'camera' })).toEqual([])
})

test('lists several passes, and a single one only in the parameters', () => {
  const pass = { seed: 7, steps: 20, cfg_scale: 6.5, sampler: 'euler', scheduler: 'karras' }
  const first = { ...pass, denoise: null, model: null }
  const second = { ...pass, seed: null, steps: 1, denoise: 0.4, model: 'refiner' }

  expect(passRows({ ...nothing, passes: [first] })).toEqual([])
  expect(passRows({ ...nothing, passes: [first, second] }).map(({ value }) => value)).toEqual([
    '20 steps · CFG 6.5 · euler · karras · seed 7',
    '1 step · CFG 6.5 · euler · karras · denoise 0.4 · refiner',
  ])
})

test('shows characters, settings of the generator, and texts if no prompt is known', () => {
  const characters = [{ prompt: 'a knight', negative_prompt: 'horse' }]
  const texts = ['a fox', 'blurry']
  expect(labels(promptRows({ ...nothing, prompt: 'two', characters, texts }))).toEqual([
    'Prompt',
    'Character 1',
    'Negative prompt of character 1',
  ])
  expect(promptRows({ ...nothing, texts })).toMatchObject([
    { label: 'Texts in the workflow', value: 'a fox\n\nblurry' },
  ])
})

test('gives half a line only to labels and values that fit into it', () => {
  const parameters = {
    'Aspect ratio': '16:9',
    'Undesired content strength': '0',
    'Style reference': 'https://example.com/a/b/c.png',
  }

  const rows = parameterRows({ ...nothing, seed: 335608130539327, steps: 20, parameters })

  expect(labels(rows.filter(isShort))).toEqual(['Steps', 'Aspect ratio'])
})

test('describes a video by its codec, frame rate, duration, sound and bit rate', () => {
  const video = {
    duration: 12.4,
    fps: 23.976,
    codec: 'h264',
    has_sound: true,
    poster_ms: null,
  } as const

  const rows = fileRows(imageRecord({ file_size: 6_200_000, video }), null, undefined)

  expect(textOf(rows)).toContain(
    'Duration: 0:12\nCodec: H.264\nFrame rate: 23.98 fps\nSound: Yes\nBit rate: 4.0 Mbit/s',
  )
})
