import type { ImageRecord } from '#contract/image.ts'
import { isVideoName } from '#contract/videos/video-formats.ts'
import type { Board } from '#gallery/api/boards/board-queries.ts'
import type { GalleryApi } from '#gallery/api/gallery-api.ts'
import { type Noun, nounOfBoard, nounOfNames } from '#gallery/api/images/noun.ts'
import { addressOfZip, packImages } from '#gallery/api/invokeai-zip.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import { saveFile, saveUrl } from '#gallery/ui/files/save-file.ts'
import { countOf } from '#gallery/ui/text/count.ts'
import { fileNameOf } from '#gallery/ui/text/names.ts'
import { showFailure, showToast } from '#gallery/ui/toasts/toast.tsx'

/** Returns true if the server can send several images as a zip. */
export const canDownloadSeveral = (capabilities: GalleryApi['capabilities']): boolean =>
  capabilities.has('archives') || capabilities.isInvokeAi

/** Downloads images: a single one as its file, several as a zip. */
export async function downloadImages(
  api: GalleryApi,
  imageNames: readonly string[],
  known: readonly ImageRecord[],
): Promise<void> {
  const [only] = imageNames
  if (only === undefined) return
  if (imageNames.length === 1) {
    const record = known.find(({ image_name }) => image_name === only)
    saveUrl(api.client.images.downloadUrl(only), record ? fileNameOf(record) : only)
    return
  }
  try {
    if (api.capabilities.has('archives'))
      await downloadArchive(api, { imageNames }, nounOfNames(imageNames))
    else await downloadPacked(api, imageNames)
  } catch (error) {
    const title = `${countOf(imageNames.length, nounOfNames(imageNames))} could not be downloaded`
    showFailure(title, reasonOf(error), () => void downloadImages(api, imageNames, known))
  }
}

export async function downloadWorkflow(api: GalleryApi, image: ImageRecord): Promise<void> {
  try {
    const { workflow, graph } = await api.client.images.workflow(image.image_name)
    const json = workflow ?? graph
    if (json === null) showToast({ title: 'The file has no workflow.' })
    else saveFile(`${baseNameOf(image)} workflow.json`, json, 'application/json')
  } catch {
    showToast({
      title: 'Couldn’t load the workflow.',
      tone: 'danger',
      action: { label: 'Retry', run: () => void downloadWorkflow(api, image) },
    })
  }
}

const baseNameOf = (image: ImageRecord): string => fileNameOf(image).replace(/\.[^.]+$/, '')

type DownloadSource = Parameters<typeof packImages>[1]

export async function downloadBoard(
  api: GalleryApi,
  board: Pick<Board, 'board_id' | 'board_name' | 'image_count' | 'video_count'>,
): Promise<void> {
  try {
    if (api.capabilities.has('archives'))
      await downloadArchive(api, { boardId: board.board_id }, nounOfBoard(board))
    else
      await savePacked(api, { boardId: board.board_id }, `“${board.board_name}”`, board.board_name)
  } catch (error) {
    const title = `“${board.board_name}” could not be downloaded`
    showFailure(title, reasonOf(error), () => void downloadBoard(api, board))
  }
}

/** Downloads a zip that Tessera streams while it builds it. */
async function downloadArchive(api: GalleryApi, source: DownloadSource, noun: Noun): Promise<void> {
  const archive = await api.client.downloads.createArchive(source)
  saveUrl(api.client.downloads.archiveUrl(archive), archive.file_name)
  showToast({ title: `Downloading ${countOf(archive.image_count, noun)} as a zip` })
}

/**
 * Downloads zips from InvokeAI, which builds each zip before it can be fetched. A toast is shown until then. Images
 * that do not fit in one request come as several zips, saved one after another. Its zips contain no videos, so these are
 * saved as files.
 */
async function downloadPacked(api: GalleryApi, allNames: readonly string[]): Promise<void> {
  const imageNames = allNames.filter((name) => !isVideoName(name))
  for (const name of allNames.filter(isVideoName))
    saveUrl(api.client.images.downloadUrl(name), name)
  if (imageNames.length === 0) return
  const images = countOf(imageNames.length, 'image')
  const size = api.capabilities.maxNamesPerRequest
  const zipCount = Math.ceil(imageNames.length / size)
  for (let index = 0; index < zipCount; index++) {
    const part = zipCount === 1 ? '' : ` (${index + 1} of ${zipCount})`
    const names = imageNames.slice(index * size, (index + 1) * size)
    await savePacked(api, { imageNames: names }, `${images}${part}`, `${images}${part}`)
  }
  const files = zipCount === 1 ? 'as a zip' : `as ${zipCount} zips`
  showToast({ title: `Downloading ${images} ${files}` })
}

/** Waits until InvokeAI has built a zip, then saves it. */
async function savePacked(
  api: GalleryApi,
  source: DownloadSource,
  what: string,
  fileName: string,
): Promise<void> {
  const title = `InvokeAI is packing ${what}…`
  const hide = showToast({ title, durationMs: Number.POSITIVE_INFINITY })
  try {
    saveUrl(await addressOfZip(api, await packImages(api, source)), `${fileName}.zip`)
  } finally {
    hide()
  }
}
