import fc from 'fast-check'
import { expect, test } from 'vitest'
import { xmpPacket } from '#testing/library/embed-metadata.ts'
import { readEmbeddedMetadata } from './read-embedded-metadata.ts'

/** A quadratic reader needs minutes for a text of this length, far beyond a test's time limit. */
const RUN = 1_000_000

const pieces = [
  ...['\n', ' ', '\t', '\r\n', '\u2028', ',', ':', ';', '"', '\\', "'", '-', '.', '/', '0', 'a'],
  ...[
    '{',
    '[',
    '{"a":',
    '[[',
    '{"a":[',
    '(',
    '<',
    '>',
    '<lora:',
    '<lora:a:',
    '<lora:a:1',
    '=',
    '|',
  ],
  ...['Steps: ', 'Steps: 1', '\nSteps: 1', ' Steps: 1, ', 'Steps: 1, a: "', 'a: "', 'a:"\\"'],
  ...[
    'Civitai resources: [',
    'Civitai resources: [{"a":"',
    ', a: {',
    'Guidance Scale: 1, ',
    '-s 1 ',
  ],
  ...[
    'sui_image_params',
    'class_type',
    'urn:air:',
    '<a b="',
    '<rdf:li>',
    '</a>',
    '&amp;',
    '<![CDATA[',
  ],
  ...['Negative prompt:', '\nNegative prompt: ', 'Size: 1x', 'NaN', ':NaN', ': NaN,', '\\u0000'],
]
const piece = fc.constantFrom(...pieces)
/** Names that readers look for. */
const names = [
  ...['parameters', 'prompt', 'workflow', 'invokeai_metadata', 'comment', 'Comment', 'Description'],
  ...['sd-metadata', 'Dream', 'generation_data', 'user_comment'],
]
const name = fc.constantFrom(...names)

const repeat = (text: string): string => text.repeat(RUN / text.length)

/** Returns an EXIF block with UserComment as its only tag. */
const exifOf = (comment: string): Buffer => {
  const text = Buffer.from(`ASCII\0\0\0${comment}`, 'latin1')
  const header = Buffer.from('4578696600004d4d002a00000008', 'hex')
  const directory = Buffer.from('000187690004000000010000001a00000000', 'hex')
  const photo = Buffer.from('000192860007000000000000002c00000000', 'hex')
  photo.writeUInt32BE(text.length, 6)
  return Buffer.concat([header, directory, photo, text])
}

test.each(pieces)('reads a million characters of %j in linear time', (separator) => {
  const run = repeat(separator)

  const { metadata } = readEmbeddedMetadata({
    comments: names.slice(0, 4).map((keyword) => ({ keyword, text: `x${run}` })),
    exif: exifOf(run),
    xmp: Buffer.from(xmpPacket({ 'dc:description': 'x' }).replace('>x<', `>${run}<`)),
    given: run,
  })
  const text = run.slice(0, RUN / 4)
  const others = readEmbeddedMetadata({
    comments: names.slice(4).map((keyword) => ({ keyword, text: `x${text}` })),
    exif: null,
    given: null,
  })

  expect(metadata.normal?.raw).toHaveProperty('parameters')
  expect(others.metadata.normal?.raw).toHaveProperty('Dream')
})

test('reads mixed runs in linear time', () => {
  fc.assert(
    fc.property(name, piece, piece, piece, (keyword, start, separator, end) => {
      const text = `${start}${repeat(separator)}${end}${repeat(start + separator)}\nSteps: 20, Seed: 1`

      const read = readEmbeddedMetadata({ comments: [{ keyword, text }], exif: null, given: null })

      expect(read.metadata.normal?.raw).toHaveProperty(keyword)
    }),
    { numRuns: 40 },
  )
})

test('reads a graph of 5,000 chained samplers in linear time', () => {
  const node = (_: unknown, index: number) => [
    String(index),
    { class_type: 'KSampler', inputs: { latent_image: [String(index - 1), 0], seed: index } },
  ]
  const prompt = JSON.stringify(Object.fromEntries(Array.from({ length: 5000 }, node)))

  const { metadata } = readEmbeddedMetadata({
    comments: [{ keyword: 'prompt', text: prompt }],
    exif: null,
    given: null,
  })

  expect(metadata.normal).toMatchObject({ generator: 'comfyui', seed: 0 })
})
