import { NodeFault } from '#server/engine/node-fault.ts'

/**
 * Refuses a size before memory is taken for it.
 *
 * @param maxPixels - Width times height that a picture may have.
 * @throws {NodeFault} A side below 1, or too many pixels.
 */
export const checkSize = (width: number, height: number, maxPixels: number): void => {
  if (width < 1 || height < 1) {
    // InvokeAI makes such a picture and fails when it saves it.
    const text = `Width and height must be > 0, got ${width} x ${height}`
    throw new NodeFault(text, 'ImageFileSaveException')
  }
  if (width * height > maxPixels) {
    const millions = Math.floor(maxPixels / 1e6)
    throw new NodeFault(
      `${width} x ${height} pixels are more than this server's limit of ${millions} million`,
    )
  }
}
