import { writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { beforeEach, expect, test } from 'vitest'
import { type Library, reuseLibraries } from '#testing/library/open-library.ts'
import { readMarksAgain } from './read-marks-again.ts'

const XMP = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"
    xmp:Rating="4"><dc:subject><rdf:Bag><rdf:li>sea</rdf:li></rdf:Bag></dc:subject>
  </rdf:Description></rdf:RDF></x:xmpmeta>`

const getLibrary = reuseLibraries()
let library: Library
let reds = 0
beforeEach(async () => {
  library = await getLibrary()
})

/** Adds an image whose file has a rating and a tag, and whose record has none, as an earlier version added it. */
const addUnmarked = async () => {
  reds += 1
  const create = { width: 8, height: 8, channels: 3, background: { r: reds, g: 0, b: 0 } } as const
  const file = await sharp({ create }).withXmp(XMP).png().toBuffer()
  const source = (async function* () {
    yield file
  })()
  const { image } = await library.ingest.ingest({ source, category: 'user' })
  expect(image).toMatchObject({ rating: 4, tags: ['sea'] })
  await library.images.setRating([image.image_name], 0)
  await library.tags.apply([image.image_name], { add: [], remove: ['sea'] }, { maxTags: 10 })
  return image.image_name
}

const tag = (name: string, add: string) =>
  library.tags.apply([name], { add: [add], remove: [] }, { maxTags: 10 })

const marksOf = async (name: string) => {
  const { rating, tags } = (await library.images.get(name)) ?? {}
  return { rating, tags }
}

const readAll = (signal = new AbortController().signal) =>
  readMarksAgain(library, { signal, onProgress: () => {} })

test('gives images the ratings and tags in their files, once', async () => {
  const names = [await addUnmarked(), await addUnmarked()]

  expect(await readAll()).toBe(2)
  expect(await readAll()).toBe(0)

  for (const name of names) expect(await marksOf(name)).toEqual({ rating: 4, tags: ['sea'] })
})

test('overwrites no rating and no tags of a person', async () => {
  const [rated, tagged, both] = [await addUnmarked(), await addUnmarked(), await addUnmarked()]
  await library.images.setRating([rated, both], 2)
  await tag(tagged, 'mine')
  await tag(both, 'mine')

  expect(await readAll()).toBe(2)

  expect(await marksOf(rated)).toEqual({ rating: 2, tags: ['sea'] })
  expect(await marksOf(tagged)).toEqual({ rating: 4, tags: ['mine'] })
  expect(await marksOf(both)).toEqual({ rating: 2, tags: ['mine'] })
})

test('leaves out the trash and files that cannot be read, and stops when asked to', async () => {
  const [trashed, broken, whole] = [await addUnmarked(), await addUnmarked(), await addUnmarked()]
  await library.trash.trashImages([trashed])
  await writeFile(library.pathOf(broken), 'no image')

  await expect(readAll(AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped')
  expect(await readAll()).toBe(0)

  expect(await marksOf(trashed)).toEqual({ rating: 0, tags: [] })
  expect(await marksOf(broken)).toEqual({ rating: 0, tags: [] })
  expect(await marksOf(whole)).toEqual({ rating: 4, tags: ['sea'] })
})
