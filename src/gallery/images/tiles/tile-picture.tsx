import { Film, ImageOff } from 'lucide-react'
import { useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import type { TileFit } from '#gallery/images/grid/grid-preferences.ts'
import { useScroller } from '#gallery/images/grid/grid-scroller.ts'
import { fileNameOf } from '#gallery/ui/text/names.ts'
import { usePictures } from './pictures.ts'
import { neededPx, pictureBox } from './thumbnail-size.ts'
import { TileImage } from './tile-image.ts'

interface TilePictureProps {
  record: ImageRecord
  tilePx: number
  heightPx: number
  fit: TileFit
}

/** The picture of a tile. Another image starts over in the same element. */
export function TilePicture({ record, fit, ...size }: TilePictureProps) {
  const api = useGallery()
  const scroller = useScroller()
  const pictures = usePictures()
  const box = useRef<HTMLDivElement>(null)
  const image = useRef<TileImage>(null)
  const tile = { widthPx: size.tilePx, heightPx: size.heightPx }
  const { widthPx, heightPx } = pictureBox(record, tile, fit)
  const needed = neededPx(record, { ...tile, fit, deviceRatio: window.devicePixelRatio })
  const { image_name: name, thumbnail_url: url, thumbhash } = record
  const key = `${name} ${url} ${thumbhash}`
  const [missing, setMissing] = useState<string | null>(null)

  const start = useEffectEvent((element: HTMLElement, started: string) => {
    const onMissing = () => {
      setMissing(started)
      return record.video ? pictures.missingPosters.add(api, record, element) : () => {}
    }
    const options = { box: element, record, neededPx: needed, scroller, pictures, api, onMissing }
    return new TileImage(options)
  })
  useLayoutEffect(() => {
    if (box.current === null) return
    const started = start(box.current, key)
    image.current = started
    return () => started.end()
  }, [key])
  useLayoutEffect(() => image.current?.enlarge(needed), [needed])

  return (
    <div
      ref={box}
      data-picture={fileNameOf(record)}
      className="flex items-center justify-center rounded-sm bg-hover bg-cover"
      style={{ width: widthPx, height: heightPx }}
    >
      {missing === key && (
        <span
          title={record.video ? 'This video has no picture' : 'Couldn’t load this image'}
          className="flex size-8 items-center justify-center rounded-full bg-black/45 text-white"
        >
          {record.video ? <Film aria-hidden size={16} /> : <ImageOff aria-hidden size={16} />}
        </span>
      )}
    </div>
  )
}
