import type { Board } from '#gallery/api/boards/board-queries.ts'
import { countOf } from '#gallery/ui/text/count.ts'

type Counts = Pick<Board, 'image_count' | 'video_count'>

/** Returns text such as `12 images`, `3 videos` or `12 images and 3 videos`. */
export const contentOf = ({ image_count, video_count }: Counts): string =>
  joined(
    (image_count > 0 || video_count === 0) && countOf(image_count, 'image'),
    video_count > 0 && countOf(video_count, 'video'),
  )

/** Returns `images`, `videos` or `images and videos`. */
export const thingsOf = ({ image_count, video_count }: Counts): string =>
  joined((image_count > 0 || video_count === 0) && 'images', video_count > 0 && 'videos')

const joined = (...parts: (string | false)[]): string =>
  parts.filter((part) => part !== false).join(' and ')
