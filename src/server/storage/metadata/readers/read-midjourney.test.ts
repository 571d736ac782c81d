import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readEmbeddedMetadata } from '#server/storage/metadata/read-embedded-metadata.ts'
import { xmpPacket } from '#testing/library/embed-metadata.ts'

const JOB = '0aa1b2c3-1111-4222-8333-abcdefabcdef'

const read = (description: string, more: Record<string, string> = {}, xmp: string | null = null) =>
  readEmbeddedMetadata({
    comments: Object.entries({ Description: description, ...more }).map(([keyword, text]) => ({
      keyword,
      text,
    })),
    exif: null,
    xmp: xmp === null ? null : Buffer.from(xmp),
    given: null,
  }).metadata.normal

test('separates the prompt, parameters and job of Midjourney', () => {
  const description = `a cat - on a roof --ar 16:9 --no dogs, birds --seed 77 --sref https://s.mj.run/a 123 --tile --v 6.1 Job ID: ${JOB}`

  expect(read(description, { Author: 'alice' })).toMatchObject({
    generator: 'midjourney',
    generator_version: '6.1',
    prompt: 'a cat - on a roof',
    negative_prompt: 'dogs, birds',
    model: 'Midjourney 6.1',
    seed: 77,
    parameters: {
      'Aspect ratio': '16:9',
      'Style reference': 'https://s.mj.run/a 123',
      Tile: 'on',
      Version: '6.1',
      'Job ID': JOB,
      Author: 'alice',
    },
  })
})

test('reads a description of Niji', () => {
  expect(read(`a heron --niji 6 --s 250 Job ID: ${JOB}`)).toMatchObject({
    generator: 'niji',
    prompt: 'a heron',
    model: 'Niji 6',
    parameters: { 'Niji version': '6', Stylize: '250' },
  })
})

test('reads a description without parameters', () => {
  expect(read(`a heron Job ID: ${JOB}`)).toMatchObject({
    generator: 'midjourney',
    prompt: 'a heron',
    model: 'Midjourney',
  })
})

test.each([
  ['a fox --ar 3:2 --v 7', 'midjourney'],
  ['', null],
])('reads the job of %j from the GUID in XMP', (description, generator) => {
  const xmp = xmpPacket({
    'Iptc4xmpExt:DigImageGUID': JOB,
    'Iptc4xmpExt:DigitalSourceType':
      'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia',
  })

  expect(read(description, {}, xmp)).toMatchObject({ generator, parameters: { 'Job ID': JOB } })
})

test('takes the GUID of a photo for no job', () => {
  const xmp = xmpPacket({ 'Iptc4xmpExt:DigImageGUID': JOB })

  expect(read('', {}, xmp)?.parameters).toBeUndefined()
})

test.each(['a photo of a cat', 'run it with --verbose -- please', '{"prompt":"x --v 6"}', '--'])(
  'leaves other descriptions alone: %s',
  (description) => {
    expect(read(description)?.generator).toBeNull()
  },
)

test('reads any description without an error', () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom(' --v ', ' --no ', '--', ' Job ID: ', JOB, ' --ar 1:2'),
  )
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const parameters = read(pieces.join(''))?.parameters ?? {}
      expect(Object.keys(parameters).length).toBeLessThan(50)
    }),
  )
})
