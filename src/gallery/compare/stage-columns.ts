import { fitBox, type Size } from '#gallery/ui/stage/fit-box.ts'

/** Returns the number of columns at which images of this shape are drawn largest. */
export function columnsFor(count: number, shape: Size, room: Size): number {
  let best = { columns: 1, width: 0 }
  for (let columns = 1; columns <= count; columns++) {
    const rows = Math.ceil(count / columns)
    const cell = { width: room.width / columns, height: room.height / rows }
    // A huge picture, because only its shape counts.
    const { width } = fitBox({ width: shape.width * 1e6, height: shape.height * 1e6 }, cell)
    if (width > best.width) best = { columns, width }
  }
  return best.columns
}

/** Returns the typical shape of images: the middle one of their ratios. */
export function typicalShape(images: readonly Size[]): Size {
  const ratios = images.map(({ width, height }) => width / height).sort((a, b) => a - b)
  return { width: ratios[Math.floor(ratios.length / 2)] ?? 1, height: 1 }
}
