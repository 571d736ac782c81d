import { ImageOff } from 'lucide-react'
import { startTransition, useEffect, useState } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import type { TileFit } from '#gallery/images/grid/grid-preferences.ts'
import { type GridScroller, useScroller } from '#gallery/images/grid/grid-scroller.ts'
import { fileNameOf } from '#gallery/ui/text/names.ts'
import { usePictureSource } from '#gallery/ui/use-file-source.ts'
import { usePictures } from './pictures.ts'
import { isTranslucent } from './placeholder.ts'
import { FIRST_THUMBNAIL_PX, neededPx, pictureBox, type TileSize } from './thumbnail-size.ts'

interface TilePictureProps {
  record: ImageRecord
  tilePx: number
  heightPx: number
  fit: TileFit
}

/**
 * The image of a tile: first its average color, its thumbnail once the user scrolls slowly, and then a sharper one.
 * Changes of the scrolling speed re-render no tile.
 */
export function TilePicture({ record, fit, ...size }: TilePictureProps) {
  const { client, generations } = useGallery()
  const scroller = useScroller()
  const { shown, averageColorOf, placeholderOf } = usePictures()
  const firstUrl = client.images.thumbnailUrl(record)
  const { url, isMissing, onFail } = useReadableUrl(record)
  const tile = { widthPx: size.tilePx, heightPx: size.heightPx }
  const { widthPx, heightPx } = pictureBox(record, tile, fit)
  const [isLoaded, setIsLoaded] = useState(false)
  const sharpUrl = useSharpUrl(scroller, record, isLoaded, { ...tile, fit })
  const [isUncovered, setIsUncovered] = useState(false)
  const { thumbhash } = record
  const [preview] = useState(() => generations.previewOf(record.image_name))
  const needsNoTurn = preview !== undefined || shown.has(firstUrl) || !shown.hasAny
  const mayLoad = useTurn(scroller, needsNoTurn)
  const isLate = useIsLate(mayLoad && !isLoaded)
  const showPicture = usePictureSource(sharpUrl ?? url)
  const placeholder = isLate && !isUncovered ? placeholderOf(thumbhash) : undefined

  return (
    <div
      data-picture={fileNameOf(record)}
      className="relative flex items-center justify-center overflow-hidden rounded-sm bg-hover bg-cover"
      style={{
        width: widthPx,
        height: heightPx,
        backgroundColor: isUncovered ? undefined : averageColorOf(thumbhash),
        // A new image keeps the last preview of its generation until the thumbnail is loaded.
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
          ref={showPicture}
          alt=""
          decoding="async"
          draggable={false}
          className={`absolute inset-0 size-full object-cover ${preview === undefined ? '' : 'transition-opacity duration-200'} ${isLoaded || preview === undefined ? '' : 'opacity-0'}`}
          onLoad={() => {
            setIsLoaded(true)
            shown.add(firstUrl)
            generations.forgetPreview(record.image_name)
            if (isTranslucent(thumbhash)) setIsUncovered(true)
          }}
          onError={onFail}
        />
      )}
    </div>
  )
}

/** Delay before a missing thumbnail is requested again, in milliseconds. */
const RETRY_MS = 1_000

/** The next attempt after a failed one. */
const nextTry = {
  first: 'waiting',
  waiting: 'waiting',
  again: 'full',
  full: 'none',
  none: 'none',
} as const

/**
 * Returns the URL of the image. InvokeAI announces an image before it has written the thumbnail, so a missing thumbnail
 * is requested again, and then replaced by the full resolution.
 *
 * @returns `url` is null during the delay, and when nothing can be shown (`isMissing`).
 */
function useReadableUrl(record: ImageRecord) {
  const { client } = useGallery()
  const [attempt, setAttempt] = useState<keyof typeof nextTry>('first')
  useEffect(() => {
    if (attempt !== 'waiting') return
    const timer = setTimeout(() => setAttempt('again'), RETRY_MS)
    return () => clearTimeout(timer)
  }, [attempt])
  const isMissing = attempt === 'none'
  const isThumbnail = attempt !== 'full'
  const address = isThumbnail ? client.images.thumbnailUrl(record) : client.images.fullUrl(record)
  return {
    url: isMissing || attempt === 'waiting' ? null : address,
    isMissing,
    onFail: () => setAttempt(nextTry[attempt]),
  }
}

/**
 * Returns true once this image may load. It stays true, even if the user scrolls on.
 *
 * @param needsNoTurn - The image moved here from another cell, was just generated, or is among the first of the page.
 * React renders those in slices, and each starts to load as soon as its tile is rendered.
 */
function useTurn(scroller: GridScroller, needsNoTurn: boolean): boolean {
  const { queue } = usePictures()
  const [hasTurn, setHasTurn] = useState(() => needsNoTurn && scroller.isScrollingSlowly())
  useEffect(() => {
    if (!hasTurn) return scroller.whileScrollingSlowly(() => queue.add(() => setHasTurn(true)))
  }, [scroller, queue, hasTurn])
  return hasTurn
}

/** Most thumbnails load faster than this, and drawing their placeholders would only cost time. In milliseconds. */
const LATE_MS = 150

/** Returns true once a thumbnail has loaded for so long that its placeholder is worth drawing. It stays true. */
function useIsLate(isWaiting: boolean): boolean {
  const [isLate, setIsLate] = useState(false)
  useEffect(() => {
    if (!isWaiting) return
    // The timers of all tiles fire together. A transition decodes their placeholders in slices, not in one task.
    const timer = setTimeout(() => startTransition(() => setIsLate(true)), LATE_MS)
    return () => clearTimeout(timer)
  }, [isWaiting])
  return isLate
}

/**
 * Returns the URL of a larger thumbnail, once it is decoded, if the first is too small for the tile; else `null`. It is
 * requested only after the first, so that it does not delay the first thumbnails of other tiles.
 */
function useSharpUrl(
  scroller: GridScroller,
  record: ImageRecord,
  isFirstLoaded: boolean,
  { fit, ...tile }: TileSize & { fit: TileFit },
): string | null {
  const { client } = useGallery()
  const [sharpUrl, setSharpUrl] = useState<string | null>(null)
  const needed = neededPx(record, { ...tile, fit, deviceRatio: window.devicePixelRatio })
  const url = needed > FIRST_THUMBNAIL_PX ? client.images.thumbnailUrl(record, needed) : null
  const isLarger = url !== null && url !== client.images.thumbnailUrl(record)
  useEffect(() => {
    if (!isLarger || !isFirstLoaded || url === sharpUrl) return
    return scroller.whileScrollingSlowly(() => {
      const picture = new Image()
      let isWanted = true
      picture.src = url
      const show = () => isWanted && setSharpUrl(url)
      // If the larger one cannot be loaded, the first one stays.
      picture.decode().then(show, () => undefined)
      return () => {
        isWanted = false
        picture.src = ''
      }
    })
  }, [scroller, url, isLarger, isFirstLoaded, sharpUrl])
  return isLarger ? sharpUrl : null
}
