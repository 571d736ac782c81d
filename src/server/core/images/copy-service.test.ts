import { unlink, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { MAX_NAMES_PER_REQUEST } from '#contract/limits.ts'
import { once } from '#server/core/intake/new-image-of.ts'
import { Refusal } from '#server/core/refusal.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { openLibrary } from '#testing/library/open-library.ts'
import { CopyService } from './copy-service.ts'

const open = async () => {
  const library = await openLibrary()
  const { image } = await library.ingest.ingest({
    source: once(new Uint8Array(await (await drawFile('cat.png')).arrayBuffer())),
    category: 'user',
  })
  const originals = async (count: number) => {
    const names = Array.from({ length: count }, (_, at) => nameOf(at))
    const original = { image_name: image.image_name, copy_of: image.image_name }
    await library.images.addCopies(
      names.map((image_name) => ({ ...original, image_name })),
      'none',
    )
    for (const imageName of names) {
      const incoming = await library.files.duplicate(image.image_name)
      if (incoming !== null) await library.files.keep([{ incoming, imageName }])
    }
    return names
  }
  return { library, imageName: image.image_name, originals }
}

/** Returns the names of existing files, which are all in one folder. */
const nameOf = (at: number): string =>
  `018f0000-0000-7000-8000-${at.toString(16).padStart(10, '0')}ab.png`

const imageCount = async ({ images }: Awaited<ReturnType<typeof openLibrary>>) =>
  (await images.names({ orderBy: 'created_at', orderDir: 'DESC', starredFirst: false })).total_count

const storedFiles = async ({ files }: Awaited<ReturnType<typeof openLibrary>>) => {
  const names: string[] = []
  for await (const { imageNames } of files.list()) names.push(...imageNames)
  return names
}

test('writes in an order that survives a power failure', async () => {
  const { library, imageName } = await open()
  const steps: string[] = []
  const { files, images } = library
  const copies = new CopyService({
    ...library,
    files: {
      ...files,
      duplicate: (name) => files.duplicate(name).finally(() => steps.push('duplicate')),
      keep: (staged) => files.keep(staged).finally(() => steps.push('keep')),
    },
    images: {
      ...images,
      addCopies: (...args) => images.addCopies(...args).finally(() => steps.push('add')),
    },
  })

  await copies.copy([imageName], 'none')

  expect(steps).toEqual(['duplicate', 'keep', 'add'])
})

test('refuses a copy that fails at once and leaves no files', async () => {
  const { library, imageName } = await open()
  const full = () => Promise.reject(new Refusal('disk_full'))
  const images = { ...library.images, addCopies: full }
  const copies = new CopyService({ ...library, images })

  await expect(copies.copy([imageName], 'none')).rejects.toMatchObject({ code: 'disk_full' })

  expect(await storedFiles(library)).toEqual([imageName])
  expect(await library.files.sweepTemporaries()).toBe(0)
})

test('does not copy a damaged image', async () => {
  const { library, imageName, originals } = await open()
  const [damaged = ''] = await originals(1)
  // Copies share their bytes through hard links.
  await unlink(library.pathOf(damaged))
  await writeFile(library.pathOf(damaged), 'not an image')

  const { copied_images, failed_images } = await new CopyService(library).copy(
    [damaged, imageName],
    'none',
  )

  expect(copied_images).toMatchObject([{ copy_of: imageName }])
  expect(failed_images).toEqual([damaged])
})

test('discards all staged files if one cannot be staged', async () => {
  const { library, originals } = await open()
  const names = await originals(3)
  const before = await storedFiles(library)
  const { files } = library
  const duplicate = (name: string) =>
    name === names[1] ? Promise.reject(new Refusal('disk_full')) : files.duplicate(name)
  const copies = new CopyService({ ...library, files: { ...files, duplicate } })

  await expect(copies.copy(names, 'none')).rejects.toMatchObject({ code: 'disk_full' })

  expect(await storedFiles(library)).toEqual(before)
  expect(await files.sweepTemporaries()).toBe(0)
})

test('keeps images copied before a failure and names the rest', async () => {
  const { library, originals } = await open()
  const names = await originals(450)
  const { images } = library
  const countBefore = await imageCount(library)
  let commits = 0
  const addCopies: typeof images.addCopies = async (...args) => {
    commits += 1
    if (commits === 3) throw new Refusal('disk_full')
    return images.addCopies(...args)
  }
  const copies = new CopyService({ ...library, images: { ...images, addCopies } })

  const result = await copies.copy(names, 'none')

  expect(result.copied_images.map(({ copy_of }) => copy_of)).toEqual(names.slice(0, 400))
  expect(result.failed_images).toEqual(names.slice(400))
  expect(await imageCount(library)).toBe(countBefore + 400)
})

test('leaves no file of an image deleted during the copy', async () => {
  const { library, originals } = await open()
  const [going = '', staying = ''] = await originals(2)
  const { images } = library
  const addCopies: typeof images.addCopies = async (...args) => {
    await images.remove([going])
    return images.addCopies(...args)
  }
  const copies = new CopyService({ ...library, images: { ...images, addCopies } })

  const result = await copies.copy([going, staying], 'none')

  expect(result.failed_images).toEqual([going])
  const names = await storedFiles(library)
  expect(names).toContain(result.copied_images[0]?.image_name)
  expect(names).toHaveLength(4)
})

test('copies nothing more while the server stops', async () => {
  const { library, originals } = await open()
  const names = await originals(250)
  const { images } = library
  const addCopies: typeof images.addCopies = (...args) => {
    copies.close()
    return images.addCopies(...args)
  }
  const copies: CopyService = new CopyService({ ...library, images: { ...images, addCopies } })

  expect((await copies.copy(names, 'none')).failed_images).toEqual(names.slice(200))
  await expect(copies.copy(names, 'none')).rejects.toMatchObject({ code: 'stopping' })
})

test('refuses more names than fit in a request', async () => {
  const { library } = await open()
  const names = Array.from({ length: MAX_NAMES_PER_REQUEST + 1 }, () => 'x.png')

  const copying = new CopyService(library).copy(names, 'none')

  await expect(copying).rejects.toMatchObject({ code: 'too_many_names' })
})
