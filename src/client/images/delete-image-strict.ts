import { DeletionFailedError, ImageNotFoundError, RefusedError } from '#client/errors.ts'
import type { CallOptions } from '#client/transport/call.ts'
import type { Http } from '#client/transport/http.ts'
import { getImage } from '#contract/image-operations.ts'

/** Returns null if the image exists (status 200), else the server's refusal. */
const refusalOfExistence = async (
  http: Http,
  imageName: string,
  options: CallOptions,
): Promise<RefusedError | null> => {
  try {
    await http.call(getImage, { params: { image_name: imageName }, ...options })
    return null
  } catch (error) {
    if (error instanceof RefusedError) return error
    throw error
  }
}

/** Implements `deleteImageStrict` of a board handle. Checks again if the server does not confirm the deletion. */
export const deleteImageStrict = async (
  http: Http,
  imageName: string,
  deleteImage: (imageName: string) => Promise<boolean>,
  options: CallOptions,
): Promise<boolean> => {
  const refusal = await refusalOfExistence(http, imageName, options)
  if (refusal !== null) throw new ImageNotFoundError(imageName, { cause: refusal })
  if (await deleteImage(imageName)) return true
  const isStillThere = (await refusalOfExistence(http, imageName, options)) === null
  if (isStillThere) throw new DeletionFailedError(imageName)
  return false
}
