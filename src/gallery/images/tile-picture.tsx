import { ImageOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import { gallery } from '#gallery/api/connection.ts'
import { imageUrls } from '#gallery/api/metadata-queries.ts'
import { fileNameOf } from '#gallery/ui/names.ts'
import { useIsCalm } from './calm-context.ts'
import type { TileFit } from './grid-preferences.ts'
import { forgetPreview, previewOf } from './landed-previews.ts'
import { queuePicture } from './picture-queue.ts'
import { averageColourOf, isTranslucent, placeholderOf } from './placeholder.ts'
import { pictureShown, wasShown } from './shown-pictures.ts'
import { FIRST_THUMBNAIL_PX, neededPx, pictureBox } from './thumbnail-size.ts'

interface TilePictureProps {
  record: ImageRecord
  tilePx: number
  fit: TileFit
}

/** The picture of a tile: its colours at once, its thumbnail when the person is calm, then a sharper one. */
export function TilePicture({ record, tilePx, fit }: TilePictureProps) {
  const isCalm = useIsCalm()
  const firstUrl = gallery.images.thumbnailUrl(record)
  const { url, isMissing, onFail } = useReadableUrl(record)
  const { widthPx, heightPx } = pictureBox(record, tilePx, fit)
  const sharpUrl = useSharpUrl(record, isCalm, { tilePx, fit })
  const [isUncovered, setIsUncovered] = useState(false)
  const { thumbhash } = record
  const [preview] = useState(() => previewOf(record.image_name))
  const mayLoad = useTurn(isCalm, preview !== undefined || wasShown(firstUrl))
  const [isShown, setIsShown] = useState(preview === undefined)
  const placeholder = mayLoad && !isUncovered ? placeholderOf(thumbhash) : undefined

  return (
    <div
      data-picture
      // Not on the tile itself: screen readers would read it after the tile's name.
      title={fileNameOf(record)}
      className="relative flex items-center justify-center overflow-hidden rounded-sm bg-hover bg-cover"
      style={{
        width: widthPx,
        height: heightPx,
        backgroundColor: isUncovered ? undefined : averageColourOf(thumbhash),
        // One that has just been made stays as it was seen until its thumbnail is there.
        backgroundImage: preview !== undefined && !isUncovered ? `url("${preview}")` : placeholder,
      }}
    >
      {isMissing && (
        <span
          title="Couldn’t load this image"
          className="flex size-8 items-center justify-center rounded-full bg-black/45 text-white"
        >
          <ImageOff aria-hidden size={16} />
        </span>
      )}
      {mayLoad && url !== null && (
        <img
          src={sharpUrl ?? url}
          alt=""
          decoding="async"
          draggable={false}
          className={`absolute inset-0 size-full object-cover ${preview === undefined ? '' : 'transition-opacity duration-200'} ${isShown ? '' : 'opacity-0'}`}
          onLoad={() => {
            setIsShown(true)
            pictureShown(firstUrl)
            forgetPreview(record.image_name)
            if (isTranslucent(thumbhash)) setIsUncovered(true)
          }}
          onError={onFail}
        />
      )}
    </div>
  )
}

/** How long a missing thumbnail is waited for, in milliseconds. */
const RETRY_MS = 1_000

/** What is tried after what failed. */
const nextTry = {
  first: 'waiting',
  waiting: 'waiting',
  again: 'full',
  full: 'none',
  none: 'none',
} as const

/**
 * The address of the picture. InvokeAI announces an image before it has written the thumbnail, so a missing one is
 * asked for again, and then replaced by the full resolution.
 *
 * @returns `url` is null while the page waits, and when nothing can be shown (`isMissing`).
 */
function useReadableUrl(record: ImageRecord) {
  const [attempt, setAttempt] = useState<keyof typeof nextTry>('first')
  useEffect(() => {
    if (attempt !== 'waiting') return
    const timer = setTimeout(() => setAttempt('again'), RETRY_MS)
    return () => clearTimeout(timer)
  }, [attempt])
  const isMissing = attempt === 'none'
  const isThumbnail = attempt !== 'full'
  const address = isThumbnail ? gallery.images.thumbnailUrl(record) : imageUrls.full(record)
  return {
    url: isMissing || attempt === 'waiting' ? null : address,
    isMissing,
    onFail: () => setAttempt(nextTry[attempt]),
  }
}

/**
 * Whether this picture may load. Once its turn has come it stays so, however fast the person moves on.
 *
 * @param isFirst - It waits for no turn: it has only come to another cell, or was just made.
 */
function useTurn(isCalm: boolean, isFirst: boolean): boolean {
  const [hasTurn, setHasTurn] = useState(() => isCalm && isFirst)
  useEffect(() => {
    if (isCalm && !hasTurn) return queuePicture(() => setHasTurn(true))
  }, [isCalm, hasTurn])
  return hasTurn
}

/** A larger thumbnail where the first is too small for the tile, once it is decoded; `null` before. */
function useSharpUrl(
  record: ImageRecord,
  isCalm: boolean,
  { tilePx, fit }: { tilePx: number; fit: TileFit },
): string | null {
  const [sharpUrl, setSharpUrl] = useState<string | null>(null)
  const needed = neededPx(record, { tilePx, fit, deviceRatio: window.devicePixelRatio })
  const url = needed > FIRST_THUMBNAIL_PX ? gallery.images.thumbnailUrl(record, needed) : null
  const isLarger = url !== null && url !== gallery.images.thumbnailUrl(record)
  useEffect(() => {
    if (!isLarger || !isCalm || url === sharpUrl) return
    const picture = new Image()
    let isWanted = true
    picture.src = url
    const show = () => isWanted && setSharpUrl(url)
    // Without a larger one the first stays: it is a picture all the same.
    picture.decode().then(show, () => undefined)
    return () => {
      isWanted = false
      picture.src = ''
    }
  }, [url, isLarger, isCalm, sharpUrl])
  return isLarger ? sharpUrl : null
}
