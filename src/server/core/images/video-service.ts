import type { VideoChanges, VideoRecord } from '#contract/videos/video.ts'
import { isVideoName } from '#contract/videos/video-formats.ts'
import type { FileRemoval } from '#server/core/intake/file-removal.ts'
import type { Records } from '#server/core/record-ports.ts'
import { orRefuse, Refusal } from '#server/core/refusal.ts'
import { assertNamesFit, type JsonText, type View } from './image-ports.ts'

/** Reads and changes videos, with the rules of InvokeAI's API. Videos are changed by the operations of images. */
export class VideoService {
  readonly #records: Pick<Records, 'images' | 'videos'>
  readonly #removal: FileRemoval

  constructor(records: Pick<Records, 'images' | 'videos'>, removal: FileRemoval) {
    this.#records = records
    this.#removal = removal
  }

  /** @throws {Refusal} `video_not_found`. */
  async get(videoName: string): Promise<VideoRecord> {
    return orRefuse(await this.#records.videos.get(videoName), 'video_not_found')
  }

  page(view: View, window: { offset: number; limit: number }) {
    return this.#records.videos.page(view, window)
  }

  /** Returns the names as JSON text, which can be read only once. */
  async names(view: View) {
    const { image_names, ...counts } = await this.#records.images.names({
      ...view,
      kind: 'video',
    })
    return { video_names: image_names, ...counts }
  }

  /** @throws {Refusal} `video_not_found`. */
  async json(videoName: string, text: 'invokeai' | 'workflow'): Promise<JsonText> {
    await this.get(videoName)
    return orRefuse(await this.#records.images.embeddedJson(videoName, text), 'video_not_found')
  }

  /** @throws {Refusal} `video_update_failed`: the video does not exist. */
  async update(
    videoName: string,
    { video_category, ...changes }: VideoChanges,
  ): Promise<VideoRecord> {
    const all = { ...changes, ...(video_category != null && { image_category: video_category }) }
    if (isVideoName(videoName)) await this.#records.images.update(videoName, all)
    const updated = await this.#records.videos.get(videoName)
    if (updated === null || updated.deleted_at !== null) throw new Refusal('video_update_failed')
    return updated
  }

  /** @throws {Refusal} `too_many_names`. Unknown names are skipped. */
  async star(videoNames: readonly string[]) {
    const { affected_boards, image_names } = await this.#setStarred(videoNames, true)
    return { affected_boards, starred_videos: image_names, failed_videos: [] }
  }

  /** @throws {Refusal} `too_many_names`. Unknown names are skipped. */
  async unstar(videoNames: readonly string[]) {
    const { affected_boards, image_names } = await this.#setStarred(videoNames, false)
    return { affected_boards, unstarred_videos: image_names, failed_videos: [] }
  }

  async #setStarred(videoNames: readonly string[], isStarred: boolean) {
    assertNamesFit(videoNames)
    return this.#records.images.setStarred(videoNames.filter(isVideoName), isStarred)
  }

  /** @throws {Refusal} `board_not_found`, also for `none`; `video_not_added`: the video does not exist. */
  async addToBoard(videoName: string, boardId: string) {
    const names = [videoName].filter(isVideoName)
    const added = orRefuse(await this.#records.images.addToBoard(names, boardId), 'board_not_found')
    if (added.added_images.length === 0) throw new Refusal('video_not_added')
    return { affected_boards: added.affected_boards, added_videos: added.added_images }
  }

  /** @throws {Refusal} `video_not_found`. */
  async removeFromBoard(videoName: string) {
    const names = [videoName].filter(isVideoName)
    const removed = await this.#records.images.removeFromBoard(names)
    if (removed.removed_images.length === 0) throw new Refusal('video_not_found')
    return { affected_boards: removed.affected_boards, removed_videos: removed.removed_images }
  }

  /** @throws {Refusal} `too_many_names`. Unknown names are skipped. */
  async delete(videoNames: readonly string[]) {
    assertNamesFit(videoNames)
    return this.#deleted(await this.#records.images.remove(videoNames.filter(isVideoName)))
  }

  /** @throws {Refusal} `video_not_found`. */
  async deleteOne(videoName: string) {
    const result = await this.delete([videoName])
    if (result.deleted_videos.length === 0) throw new Refusal('video_not_found', 'Video not found')
    return result
  }

  /** Permanently deletes all uncategorized videos, including intermediate ones. */
  async deleteUncategorized() {
    return this.#deleted(await this.#records.images.removeUncategorized('video'))
  }

  #deleted(result: { affected_boards: string[]; deleted_images: string[] }) {
    this.#removal.request()
    const { affected_boards, deleted_images } = result
    return { affected_boards, deleted_videos: deleted_images, failed_videos: [] }
  }
}
