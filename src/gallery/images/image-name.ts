import type { ImageRecord } from '#contract/image.ts'

/** What people call an image: the name of the file it came from, else the name that the server gave. */
export const shownNameOf = ({
  file_name,
  image_name,
}: Pick<ImageRecord, 'file_name' | 'image_name'>): string => file_name || image_name
