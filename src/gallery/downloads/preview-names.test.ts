import { expect, test } from 'vitest'
import { parseNamePattern } from '#contract/downloads/name-pattern.ts'
import type { ImageRecord } from '#contract/image.ts'
import type { NormalMetadata } from '#contract/metadata.ts'
import type { DownloadForm } from './form-store.ts'
import { previewNames } from './preview-names.ts'

const form: DownloadForm = {
  ...{ format: 'original', quality: 85, longestSide: null, names: '', isWithoutMetadata: false },
  ...{ content: 'files', sheet: { format: 'pdf', columns: 4, hasNames: true } },
}

const record = {
  ...{ image_name: '018f.png', file_name: 'castle.png', media_type: 'image/png' },
  ...{ created_at: '2026-05-31 12:00:00.000', taken_at: null, width: 8, height: 6 },
  ...{ generator: 'comfyui', video: null, is_animated: false, rating: 4 },
} as ImageRecord

const metadata = {
  ...{ model: 'checkpoints/flux1-dev.safetensors', sampler: 'Euler a', scheduler: null },
  ...{ seed: 42, steps: 20, cfg_scale: 6.5 },
} as NormalMetadata

const namesOf = (
  text: string,
  changes: Partial<DownloadForm> = {},
  images: readonly Partial<ImageRecord>[] = [{}],
) =>
  previewNames(
    parseNamePattern(text).pattern ?? [],
    images.map((one) => ({ record: { ...record, ...one }, metadata, boardName: 'A/B' })),
    { form: { ...form, ...changes }, count: images.length },
  )

test('shows the values as the server stores them', () => {
  expect(namesOf('{board}/{date}_{model}_{seed}_{sampler}_{name}')).toEqual([
    'A/B/2026-05-31_flux1-dev_42_euler_ancestral_castle.png',
  ])
})

test('shows the extension of the chosen format, which animated images keep', () => {
  expect(namesOf('{name}', { format: 'jpeg' }, [{}, { is_animated: true }])).toEqual([
    'castle.jpg',
    'castle.png',
  ])
})

test('shows PNG for images that are reduced and whose format servers do not write', () => {
  const heic = { file_name: 'photo.heic', media_type: 'image/heic', width: 4000 } as const

  expect(namesOf('{name}', { longestSide: 2048 }, [heic])).toEqual(['photo.png'])
  expect(namesOf('{name}', { longestSide: 4096 }, [heic])).toEqual(['photo.heic'])
})

test('numbers equal names', () => {
  expect(namesOf('{model}', {}, [{}, {}])).toEqual(['flux1-dev.png', 'flux1-dev (2).png'])
})
