import sharp from 'sharp'
import { expect, test } from 'vitest'
import { layOutSheet } from '#contract/downloads/sheet-layout.ts'
import { openSheetDrawer } from './draw-sheet.ts'

const { draw, canDrawNames } = openSheetDrawer()

const red = () =>
  sharp({ create: { width: 40, height: 20, channels: 3, background: '#f00' } })
    .png()
    .toBuffer()

const [page] = layOutSheet('png', { count: 3, columns: 3, hasNames: true })
if (page === undefined) throw new Error('a sheet has a page')

/** Returns the color of a pixel, and true if any pixel in an area is dark. */
const reading = async (bytes: Uint8Array) => {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number) => {
    const start = (Math.round(y) * info.width + Math.round(x)) * info.channels
    return [...data.subarray(start, start + 3)]
  }
  const darkColumns = (y: number, height: number) => {
    const columns = Array.from({ length: info.width }, (_, x) => x)
    const rows = Array.from({ length: Math.floor(height) }, (_, row) => y + row)
    return columns.filter((x) => rows.some((row) => (at(x, row)[0] ?? 255) < 128))
  }
  return { info, at, darkColumns }
}

test('draws pictures in the middle of their boxes, and grey boxes for broken ones', async () => {
  const pictures = [await red(), Buffer.from('no picture'), null]
  const { bytes: sheet, damaged } = await draw(
    page,
    pictures.map((picture) => ({ picture, name: null })),
    'png',
  )

  const { info, at } = await reading(sheet)
  expect(info).toMatchObject({ format: 'raw', width: page.width, height: page.height })
  const [first, second, third] = page.boxes.map(({ x, y, width, height }) => ({
    middle: at(x + width / 2, y + height / 2),
    top: at(x + width / 2, y + 2),
  }))
  expect(first).toEqual({ middle: [255, 0, 0], top: [255, 255, 255] })
  expect(second?.middle).toEqual([221, 221, 221])
  expect(third).toEqual({ middle: [221, 221, 221], top: [221, 221, 221] })
  expect(at(2, 2)).toEqual([255, 255, 255])
  expect(damaged).toEqual([1])
})

test('writes names below the pictures, shortened to their width', async () => {
  expect(await canDrawNames()).toBe(true)
  const [box] = page.boxes
  if (box === undefined) throw new Error('a page has boxes')
  const names = ['a & <b>.png', `${'long name '.repeat(40)}.png`, 'line\nbreak.png']
  const { bytes: sheet } = await draw(
    page,
    names.map((name) => ({ picture: null, name })),
    'png',
  )

  const { darkColumns } = await reading(sheet)
  const dark = darkColumns(Math.ceil(box.y + box.height) + 1, page.textPx * 1.5)
  const inBox = page.boxes.map(({ x, width }) =>
    dark.filter((column) => column >= x - 1 && column <= x + width + 1),
  )
  expect(inBox.flat()).toHaveLength(dark.length)
  expect(inBox.map((columns) => columns.length > 20)).toEqual([true, true, true])
})

test('draws a page of a PDF as JPEG', async () => {
  const [a4] = layOutSheet('pdf', { count: 1, columns: 1, hasNames: false })
  if (a4 === undefined) throw new Error('a sheet has a page')

  const { bytes: jpeg } = await draw(a4, [{ picture: await red(), name: null }], 'jpeg')

  expect(await sharp(jpeg).metadata()).toMatchObject({
    ...{ format: 'jpeg', width: a4.width, height: a4.height },
  })
})
