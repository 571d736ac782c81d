/**
 * The bytes of uploads that are not finished, by upload id. They stand beside the store and not in it:
 * they never change, and nothing is drawn from all of them.
 */
const files = new Map<string, File>()

export const fileOf = (uploadId: string): File | undefined => files.get(uploadId)

export function rememberFile(uploadId: string, file: File): void {
  files.set(uploadId, file)
}

export function forgetFiles(uploadIds: Iterable<string>): void {
  for (const uploadId of uploadIds) files.delete(uploadId)
}

/** `crypto.randomUUID` is missing on plain http, where a home network's gallery runs. */
export function newUploadId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
