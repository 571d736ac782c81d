import { useQuery } from '@tanstack/react-query'
import { Camera, Copy, GalleryThumbnails, PictureInPicture2, RotateCcw } from 'lucide-react'
import { UNCATEGORIZED_BOARD_NAME } from '#contract/board.ts'
import type { ImageRecord } from '#contract/image.ts'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { viewerKeys } from '#gallery/lightbox/viewer-keys.ts'
import type { Command } from '#gallery/ui/commands/command.ts'
import { canCopyPictures, copyPng } from '#gallery/ui/copy-text.ts'
import { fileNameOf } from '#gallery/ui/text/names.ts'
import { showFailure, showToast } from '#gallery/ui/toasts/toast.tsx'
import { frameOf } from '#gallery/ui/video/video-frame.ts'
import { chooseAutomatically, chooseFrame } from './change-poster.ts'
import { frameNameOf } from './frame-name.ts'
import { saveFrame } from './save-frame.ts'
import { hasPictureInPicture, usePlayback, type VideoPlayer } from './video-player.ts'

/** Returns the commands for the viewed video, for the menus of the viewer. None for an image. */
export function useVideoCommands(
  player: VideoPlayer,
  image: ImageRecord | null | undefined,
): readonly Command[] {
  const api = useGallery()
  const { data: boards } = useQuery(api.boardQueries.list())
  const isFailed = usePlayback(player, ({ failure }) => failure !== null)
  const hasPosters = useHasExtension('video_posters')
  if (!image?.video) return []

  const { board_id, deleted_at } = image
  const boardName = board_id
    ? (boards?.find((board) => board.board_id === board_id)?.board_name ?? 'the board')
    : UNCATEGORIZED_BOARD_NAME
  const save = async () => {
    const { element, now } = player
    if (element === null) return
    const fileName = frameNameOf(fileNameOf(image), now)
    const target = { boardId: board_id, label: boardName }
    try {
      saveFrame(api, await frameOf(element), fileName, target)
    } catch {
      showFailure('Couldn’t save the frame', 'The video stopped loading.')
    }
  }
  const copy = async () => {
    const { element } = player
    if (element === null) return
    const isCopied = await copyPng(frameOf(element))
    showToast(
      isCopied
        ? { title: 'Frame copied' }
        : { title: 'The browser did not allow copying.', tone: 'danger' },
    )
  }
  const noFrame = isFailed ? 'The video does not play' : undefined
  const noSaving = deleted_at === null ? noFrame : 'In the trash'
  const noCopying = canCopyPictures() ? noFrame : 'Only over HTTPS'
  return [
    {
      ...viewerKeys.saveFrame,
      icon: Camera,
      group: 'copy',
      disabledReason: noSaving,
      run: () => (noSaving === undefined ? void save() : showToast({ title: noSaving })),
    },
    ...(hasPosters
      ? [
          {
            ...viewerKeys.chooseFrame,
            icon: GalleryThumbnails,
            group: 'poster',
            disabledReason: noSaving,
            run: () =>
              noSaving === undefined
                ? void chooseFrame(api, image, player)
                : showToast({ title: noSaving }),
          },
        ]
      : []),
    ...(hasPosters && image.video.poster_ms !== null && deleted_at === null
      ? [
          {
            id: 'viewer.automaticPoster',
            label: 'Use the automatic thumbnail',
            icon: RotateCcw,
            group: 'poster',
            run: () => void chooseAutomatically(api, image),
          },
        ]
      : []),
    {
      ...viewerKeys.copyFrame,
      icon: Copy,
      group: 'copy',
      disabledReason: noCopying,
      run: () => (noCopying === undefined ? void copy() : showToast({ title: noCopying })),
    },
    ...(hasPictureInPicture()
      ? [
          {
            id: 'viewer.picture',
            label: 'Picture in picture',
            icon: PictureInPicture2,
            group: 'view',
            disabledReason: noFrame,
            run: () => void player.togglePicture(),
          },
        ]
      : []),
  ]
}
