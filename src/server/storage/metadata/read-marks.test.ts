import { expect, test } from 'vitest'
import { readMarks } from './read-marks.ts'

const packet = (attributes: string, elements = '') =>
  Buffer.from(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"
      xmlns:lr="http://ns.adobe.com/lightroom/1.0/" xmlns:digiKam="http://www.digikam.org/ns/1.0/" ${attributes}>
    ${elements}</rdf:Description></rdf:RDF></x:xmpmeta>`)

const list = (name: string, kind: 'Bag' | 'Seq', ...values: string[]) =>
  `<${name}><rdf:${kind}>${values.map((value) => `<rdf:li>${value}</rdf:li>`).join('')}</rdf:${kind}></${name}>`

test.each([
  [
    'Lightroom',
    packet(
      'xmp:Rating="4" xmp:Label="Red"',
      list('dc:subject', 'Bag', 'anna', 'people', 'sea') +
        list('lr:hierarchicalSubject', 'Bag', 'people|anna'),
    ),
    { rating: 4, tags: ['people/anna', 'sea', 'label/Red'] },
  ],
  [
    'digiKam',
    packet(
      '',
      `<xmp:Rating>5</xmp:Rating>${list('digiKam:TagsList', 'Seq', 'people/anna')}${list('lr:hierarchicalSubject', 'Bag', 'people|anna')}`,
    ),
    { rating: 5, tags: ['people/anna'] },
  ],
  [
    'darktable',
    packet('xmp:Rating="1"', list('dc:subject', 'Seq', 'a, b', 'R&amp;D')),
    { rating: 1, tags: ['a, b', 'R&D'] },
  ],
  ['a rejected image', packet('xmp:Rating="-1"'), { rating: 0, tags: [] }],
  ['a rating that is no number', packet('xmp:Rating="x"'), { rating: 0, tags: [] }],
  ['a broken packet', Buffer.from('<x'), { rating: 0, tags: [] }],
])('reads the rating and the tags of %s', (_, xmp, expected) => {
  expect(readMarks([xmp])).toEqual(expected)
})

test('takes the rating of the first packet that has one, and the tags of all', () => {
  const beside = packet('', list('dc:subject', 'Bag', 'Sea'))
  const inside = packet('xmp:Rating="3"', list('dc:subject', 'Bag', 'sky', 'sea'))

  expect(readMarks([beside, null, inside])).toEqual({ rating: 3, tags: ['sea', 'sky'] })
})
