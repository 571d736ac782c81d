import type { ImageRecord } from '#contract/image.ts'
import { SplitPictures } from '#gallery/ui/stage/split-pictures.tsx'
import { Caption, Layer, Stage, type StageProps } from './compared-stage.tsx'

/** How two images are compared in one place. */
export type PairMode = 'slider' | 'blink' | 'difference'

interface PairStageProps extends Omit<StageProps, 'images' | 'children'> {
  images: readonly [ImageRecord, ImageRecord]
  /** The numbers of the images. */
  numbers: readonly [number, number]
  mode: PairMode
  /** True while the second image blinks. */
  isSecondShown: boolean
  focusedAt: number
  onFocus: (at: number) => void
}

const modeNames = { slider: 'slider', blink: 'blink', difference: 'difference' }

/** Two images, one over the other. */
export function PairStage(props: PairStageProps) {
  const { images, numbers, mode, isSecondShown, focusedAt, onFocus, ...area } = props
  const [first, second] = images
  const placed = { stage: area.stage, zoom: area.zoom }
  return (
    <div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
      <div
        role="group"
        aria-label={`Images ${numbers[0]} and ${numbers[1]}, ${modeNames[mode]}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: its keys act on the image
        tabIndex={0}
        data-stage
        className="-outline-offset-2"
      >
        <Stage images={images} {...area}>
          {mode === 'slider' ? (
            <SplitPictures
              label={`Image ${numbers[0]} or ${numbers[1]}`}
              valueText={(percent) => `${percent} % image ${numbers[0]}`}
              first={(clipPath) => <Layer image={first} {...placed} style={{ clipPath }} />}
              second={(clipPath) => <Layer image={second} {...placed} style={{ clipPath }} />}
            />
          ) : (
            <div className={`absolute inset-0 isolate ${mode === 'difference' ? 'bg-black' : ''}`}>
              <Layer
                image={first}
                {...placed}
                style={{ visibility: mode === 'blink' && isSecondShown ? 'hidden' : 'visible' }}
              />
              <Layer
                image={second}
                {...placed}
                style={
                  mode === 'difference'
                    ? { mixBlendMode: 'difference' }
                    : { visibility: isSecondShown ? 'visible' : 'hidden' }
                }
              />
            </div>
          )}
        </Stage>
      </div>
      <div className="flex">
        {images.map((image, at) => (
          <button
            key={image.image_name}
            type="button"
            aria-pressed={at === focusedAt}
            className={`min-w-0 flex-1 text-start ${at === focusedAt ? 'outline-2 outline-accent -outline-offset-2' : ''} ${mode === 'blink' && isSecondShown !== (at === 1) ? 'opacity-60' : ''}`}
            onClick={() => onFocus(at)}
          >
            <Caption image={image} number={numbers[at] ?? 0} />
          </button>
        ))}
      </div>
    </div>
  )
}
