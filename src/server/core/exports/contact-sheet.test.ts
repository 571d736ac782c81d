import { writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { openSheetDrawer } from '#server/storage/conversion/draw-sheet.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { type Library, shareLibrary } from '#testing/library/open-library.ts'
import { drawContactSheet, type SheetParts, type SheetRequest } from './contact-sheet.ts'

const getLibrary = shareLibrary()
const { draw } = openSheetDrawer()

const add = async ({ ingest, boards }: Library, boardName: string, fileNames: string[]) => {
  const { board_id } = await boards.create({ board_name: boardName, board_visibility: 'shared' })
  const images = []
  for (const fileName of fileNames) {
    const source = (await drawFile(fileName)).stream()
    images.push(
      (await ingest.ingest({ source, category: 'user', fileName, boardId: board_id })).image,
    )
  }
  return images
}

const sheetOf = (boards: string[], changes: Partial<SheetRequest & SheetParts> = {}) => {
  const { exports: records, ...library } = getLibrary()
  const request = { boards, format: 'pdf', columns: 2, hasNames: false, ...changes } as const
  const hooks = { signal: new AbortController().signal, onProgress: () => {} }
  return drawContactSheet({ ...library, records, draw, ...changes }, request, hooks)
}

test('draws as many pages as needed, and makes missing thumbnails without storing them', async () => {
  const library = getLibrary()
  const images = await add(library, 'Pages', ['a.png', 'b.png', 'c.png', 'd.png'])
  const [{ image_name: first } = { image_name: '' }] = images
  await library.thumbnails.remove([first])

  const sheet = await sheetOf(['Pages'], { columns: 1 })

  expect(sheet?.progress).toMatchObject({ found: 4, drawn: 4, missing: { count: 0 } })
  expect(sheet?.content.find((part) => String(part).includes('/Type /Pages'))).toContain('/Count 4')
  expect(await library.thumbnails.read(first, 384)).toBeNull()
})

test('names images whose picture is missing', async () => {
  const library = getLibrary()
  const [image] = await add(library, 'Damaged', ['damaged.png'])
  const { image_name: name = '' } = image ?? {}
  await library.thumbnails.remove([name])
  await writeFile(library.pathOf(name), 'no image')

  const sheet = await sheetOf(['Damaged'])

  expect(sheet?.progress.missing).toEqual({
    count: 1,
    first: [{ name: 'damaged.png', reason: 'The file is damaged.' }],
  })
})

test('draws damaged thumbnails again, and names images whose file is damaged too', async () => {
  const library = getLibrary()
  const [whole, broken] = await add(library, 'Power failure', ['whole.png', 'broken.png'])
  const { image_name: first = '' } = whole ?? {}
  const { image_name: second = '' } = broken ?? {}
  await library.thumbnails.remove([first, second])
  await writeFile(library.pathOf(second), 'no image')
  const expected = await sheetOf(['Power failure'], { format: 'png' })
  await library.thumbnails.write(first, 384, new Uint8Array(0))
  await library.thumbnails.write(second, 384, new Uint8Array(100))

  const sheet = await sheetOf(['Power failure'], { format: 'png' })

  // Without `toEqual`, which takes minutes to show the difference of two pictures.
  expect(String(sheet?.content) === String(expected?.content)).toBe(true)
  expect(sheet?.progress).toMatchObject({
    drawn: 2,
    missing: { count: 1, first: [{ name: 'broken.png', reason: 'The file is damaged.' }] },
  })
})

test.each([
  ['png', 201, 'has at most 200 images, and these are 201. Choose boards with --board, or a .pdf'],
  ['pdf', 1001, 'has at most 1000 images, and these are 1001. Choose boards with --board.'],
  ['pdf', 0, 'There are no images for the sheet.'],
] as const)('refuses a %s of %i images', async (format, count, message) => {
  const records = { ...getLibrary().exports, count: async () => count }

  await expect(sheetOf([], { records, format })).rejects.toThrow(message)
})
