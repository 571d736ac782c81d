/**
 * Returns a drawing as a file.
 *
 * @throws {Error} The drawing is larger than the browser can encode.
 */
export const fileOfCanvas = (
  canvas: HTMLCanvasElement,
  type: 'image/png' | 'image/jpeg',
): Promise<Blob> =>
  new Promise((resolve, reject) => {
    canvas.toBlob((file) => {
      if (file === null) reject(new Error('This browser cannot encode so large a picture.'))
      else resolve(file)
    }, type)
  })
