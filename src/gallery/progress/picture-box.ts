import type { Generation } from '#gallery/api/generations.ts'

/** The box that a picture will have in its square tile, in pixels: where its size is not known, all of it. */
export function pictureBoxOf(
  sizePx: Generation['sizePx'],
  tilePx: number,
  fit: 'fit' | 'fill',
): { width: number; height: number } {
  if (fit === 'fill' || sizePx === null) return { width: tilePx, height: tilePx }
  const scale = tilePx / Math.max(sizePx.width, sizePx.height)
  return {
    width: Math.max(1, Math.round(sizePx.width * scale)),
    height: Math.max(1, Math.round(sizePx.height * scale)),
  }
}
