import { fileOfCanvas } from '#gallery/ui/files/canvas-file.ts'

/** In pixels of the page. */
const PADDING = 24
const TITLE_HEIGHT = 40
/** Pixels of the picture per pixel of the page. */
const SCALE = 2

const STYLES = [
  ...['fill', 'fill-opacity', 'stroke', 'stroke-width', 'opacity', 'text-anchor'],
  ...['font-family', 'font-size', 'font-weight', 'font-variant-numeric'],
]

/** Draws a plot and its title as a PNG, in the colors of the page. */
export async function pictureOf(plot: SVGSVGElement, title: string): Promise<Blob> {
  const width = plot.width.baseVal.value
  const height = plot.height.baseVal.value
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(textOf(plot))}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = (width + 2 * PADDING) * SCALE
  canvas.height = (height + 2 * PADDING + TITLE_HEIGHT) * SCALE
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('This browser cannot draw pictures.')
  const page = getComputedStyle(document.documentElement)
  context.scale(SCALE, SCALE)
  context.fillStyle = page.getPropertyValue('--surface')
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.fillStyle = page.getPropertyValue('--ink')
  context.font = `600 16px ${getComputedStyle(document.body).fontFamily}`
  context.fillText(title, PADDING, PADDING + 16)
  context.drawImage(image, PADDING, PADDING + TITLE_HEIGHT, width, height)
  return fileOfCanvas(canvas, 'image/png')
}

/** Returns the plot as a document. Its styles are part of it, because it does not see those of the page. */
const textOf = (plot: SVGSVGElement): string => {
  const copy = plot.cloneNode(true) as SVGSVGElement
  const originals = plot.querySelectorAll('*')
  for (const [at, element] of copy.querySelectorAll('*').entries()) {
    const original = originals[at]
    if (original === undefined || !(element instanceof SVGElement)) continue
    const computed = getComputedStyle(original)
    for (const name of STYLES) element.style.setProperty(name, computed.getPropertyValue(name))
    element.removeAttribute('class')
  }
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  return new XMLSerializer().serializeToString(copy)
}
