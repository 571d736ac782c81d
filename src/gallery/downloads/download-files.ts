import { extensionsOf, type MediaType } from '#contract/media-types.ts'
import { isVideoName } from '#contract/videos/video-formats.ts'
import type { DownloadRequest } from '#gallery/api/downloads/download-request.ts'
import { fetchFile } from '#gallery/api/downloads/fetch-file.ts'
import type { GalleryApi } from '#gallery/api/gallery-api.ts'
import { saveFile, saveUrl } from '#gallery/ui/files/save-file.ts'
import { countOf } from '#gallery/ui/text/count.ts'
import { showToast } from '#gallery/ui/toasts/toast.tsx'
import { type DownloadForm, optionsOf } from './form-store.ts'

/**
 * Downloads images in the form that the user chose: a single one as a file, several as a zip.
 *
 * @throws {RefusedError | ConnectionError | Error} The download did not start.
 */
export async function downloadFiles(
  api: GalleryApi,
  request: DownloadRequest,
  form: DownloadForm,
): Promise<void> {
  const files = optionsOf(form)
  const source = await request.source()
  const { imageNames = [] } = source
  const only = imageNames.length === 1 ? imageNames[0] : undefined
  // A video is not converted, and may be too large for the memory of the page.
  const isStreamed = only === undefined || (isVideoName(only) && !form.isWithoutMetadata)
  if (!isStreamed) {
    const { fileName, file } = await fetchFile(api, only, files)
    saveFile(nameFor(fileName, file.type), file, file.type)
    return
  }
  const isFile = only !== undefined
  const archive = await api.client.downloads.createArchive(source, {
    files: { ...files, as_file: isFile },
  })
  saveUrl(api.client.downloads.archiveUrl(archive), archive.file_name)
  const what = countOf(archive.image_count, request.noun)
  showToast({ title: `Downloading ${what}${isFile ? '' : ' as a zip'}` })
}

/** Returns the name with an extension of the format of the file: removing metadata may have made it a PNG. */
export function nameFor(fileName: string, mediaType: string): string {
  const extensions = extensionsOf(mediaType as MediaType)
  const dot = fileName.lastIndexOf('.')
  const isTrue = extensions.includes(fileName.slice(dot + 1).toLowerCase())
  return isTrue ? fileName : `${fileName.slice(0, dot)}.${extensions[0]}`
}
