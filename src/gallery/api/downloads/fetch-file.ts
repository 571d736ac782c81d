import type { DownloadOptions } from '#client/index.ts'
import type { GalleryApi } from '#gallery/api/gallery-api.ts'

/**
 * Returns a single image in another form.
 *
 * @throws {RefusedError | ConnectionError | Error} The image cannot have this form. The message is user-readable.
 */
export async function fetchFile(
  api: Pick<GalleryApi, 'client'>,
  imageName: string,
  files: DownloadOptions,
): Promise<{ fileName: string; file: Blob }> {
  const { downloads } = api.client
  const source = { imageNames: [imageName] }
  const archive = await downloads.createArchive(source, { files: { ...files, as_file: true } })
  const response = await fetch(downloads.archiveUrl(archive))
  if (!response.ok) throw new Error(await detailOf(response))
  return { fileName: archive.file_name, file: await response.blob() }
}

async function detailOf(response: Response): Promise<string> {
  const answer: unknown = await response.json().catch(() => null)
  const hasDetail = typeof answer === 'object' && answer !== null && 'detail' in answer
  return hasDetail && typeof answer.detail === 'string'
    ? answer.detail
    : `The server failed (${response.status}).`
}
