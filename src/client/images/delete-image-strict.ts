import { DeletionFailedError, ImageNotFoundError, RefusedError } from '#client/errors.ts'
import type { Http } from '#client/transport/http.ts'
import { getImage } from '#contract/image-operations.ts'

/** Null: it exists (status 200). Otherwise what the server said. */
const refusalOfExistence = async (http: Http, imageName: string): Promise<RefusedError | null> => {
  try {
    await http.call(getImage, { params: { image_name: imageName } })
    return null
  } catch (error) {
    if (error instanceof RefusedError) return error
    throw error
  }
}

/**
 * The strict delete pattern (spec 7): is it there, delete it, and if that did nothing, is it still there?
 *
 * @param deleteImage - `delete_image` of the handle.
 */
export const deleteImageStrict = async (
  http: Http,
  imageName: string,
  deleteImage: (imageName: string) => Promise<boolean>,
): Promise<boolean> => {
  const refusal = await refusalOfExistence(http, imageName)
  if (refusal !== null) throw new ImageNotFoundError(imageName, { cause: refusal })
  if (await deleteImage(imageName)) return true
  const isStillThere = (await refusalOfExistence(http, imageName)) === null
  if (isStillThere) throw new DeletionFailedError(imageName)
  return false
}
