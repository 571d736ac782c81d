import { useQuery } from '@tanstack/react-query'
import { Maximize, Play } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import { undrawableFormat } from '#contract/image-formats.ts'
import type { NormalMetadata } from '#contract/metadata.ts'
import { isVideoName } from '#contract/videos/video-formats.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { drawnUrl } from '#gallery/api/images/drawn-url.ts'
import { type ImageView, isTrash } from '#gallery/api/images/image-windows.ts'
import { metadataQueries } from '#gallery/api/images/metadata-queries.ts'
import { useHasQueue } from '#gallery/api/queue/queue-queries.ts'
import type { Command } from '#gallery/ui/commands/command.ts'
import { keysOf, useChangedKeys } from '#gallery/ui/keys/key-settings.ts'
import { ContextMenu, openContextMenu } from '#gallery/ui/popups/context-menu.tsx'
import { CommandItems } from '#gallery/ui/popups/menu.tsx'
import { toggleDetails, useIsDetailsOpen } from '#gallery/ui/preferences.ts'
import type { LoadState } from '#gallery/ui/stage/sharpened-picture.tsx'
import type { Swipe } from '#gallery/ui/stage/swipe.ts'
import { formatCount } from '#gallery/ui/text/count.ts'
import { imageLabelOf } from '#gallery/ui/text/names.ts'
import { useHasSidePanel } from '#gallery/ui/use-media.ts'
import { closeImage } from '#gallery/url/use-place.ts'
import { useColorPicker } from './color/use-color-picker.tsx'
import { DetailsPanel } from './details-panel.tsx'
import { toggleFullScreen, useIsFullScreen, useIsIdle } from './full-screen.ts'
import { rememberPart } from './kept-zoom.ts'
import { LightboxToolbar } from './lightbox-toolbar.tsx'
import { PageButton } from './page-button.tsx'
import { SlideshowControls, useSlideshow } from './slideshow.tsx'
import { NoImage, StageImage, type WayOn } from './stage-image.tsx'
import { DeletedNote, StageNote } from './stage-notes.tsx'
import { usePrefetch, useViewedImage } from './use-viewed-image.ts'
import { StageVideo, StartButton, WaitingSign } from './video/stage-video.tsx'
import { useVideoCommands } from './video/use-video-commands.ts'
import { VideoBar } from './video/video-bar.tsx'
import { type Playback, startsByItself, usePlayback, VideoPlayer } from './video/video-player.ts'
import { VideoProblem } from './video/video-problem.tsx'
import { afterRemoval, formatViewPosition } from './view-position.ts'
import { areOneOf, useViewerKeys, viewerKeys } from './viewer-keys.ts'
import { ZoomStage } from './zoom-stage.tsx'

/** The state and callbacks of the viewer that its commands need. */
interface ViewerContext {
  readonly hasQueue: boolean
  /** `undefined` while it loads; `later` if the command loads it. */
  readonly metadata: NormalMetadata | null | undefined | 'later'
  /** Images whose metadata is fetched in the same request. */
  readonly together: readonly string[]
  /** The image that this one is compared with. */
  readonly compared: ImageRecord | null
  readonly onDetails: () => void
  /** Shows the next image, because this one disappears. */
  readonly onRemove: () => void
}

/** Returns the commands for an image. The toolbar, the menus and the shortcuts use them. */
export type ViewerCommands = (image: ImageRecord, context: ViewerContext) => readonly Command[]

interface ViewerProps {
  view: ImageView
  imageName: string
  commandsOf: ViewerCommands
}

/** A video that does not start by itself counts as loaded, because its poster is all that is shown. */
const loadStateOf = ({ failure, hasFrame }: Playback): LoadState => {
  if (failure !== null) return 'failed'
  return hasFrame || !startsByItself() ? 'ready' : 'loading'
}

/** The content of the lightbox: the image, buttons for its neighbors, and its details. */
export function Viewer({ view, imageName, commandsOf }: ViewerProps) {
  const { client } = useGallery()
  const viewed = useViewedImage(view, imageName)
  const { image, hasFailed, wasShown, viewPosition, total } = viewed
  const { neighbors, neighborRecords, part, showPosition } = viewed
  const [loaded, setLoaded] = useState<{ imageName: string; state: LoadState } | null>(null)
  const isDetailsOpen = useIsDetailsOpen()
  const isSheet = !useHasSidePanel()
  const [player] = useState(() => new VideoPlayer())
  const isVideo = image?.video != null
  const noun = isVideoName(imageName) ? 'video' : 'image'
  const ofVideo = usePlayback(player, loadStateOf)
  const ofImage = loaded?.imageName === imageName ? loaded.state : 'loading'
  const loadState = isVideo ? ofVideo : ofImage
  const hasStarted = usePlayback(player, (playback) => playback.hasStarted)
  const isPlaying = usePlayback(player, (playback) => playback.isPlaying)

  // Neighbors load after the image itself; until then only their thumbnails. Videos load when they are shown.
  usePrefetch([
    ...neighborRecords.map((neighbor) => client.images.thumbnailUrl(neighbor)),
    ...(loadState === 'loading'
      ? []
      : neighborRecords.flatMap((neighbor) => (neighbor.video ? [] : drawnUrl(client, neighbor)))),
  ])

  const show = (position: number | null) => position !== null && showPosition(position)
  const following = afterRemoval(neighbors)
  const wayOn: WayOn | null =
    following === null
      ? null
      : {
          label: following === neighbors.next ? 'Show the next image' : 'Show the previous image',
          go: () => showPosition(following),
        }
  const showNext = wayOn?.go ?? closeImage
  const isDeleted = image != null && image.deleted_at != null && !isTrash(view)
  const swiped = (swipe: Swipe) => {
    if (swipe !== 'down') show(neighbors[swipe])
    else if (isDetailsOpen && isSheet) toggleDetails()
    else closeImage()
  }
  const stage = useRef<HTMLDivElement>(null)
  const hasQueue = useHasQueue()
  const videoCommands = useVideoCommands(player, image)
  const slideshow = useSlideshow({
    // A video that has started plays to its end instead.
    readyImage:
      loadState === 'loading' || (isVideo && loadState !== 'failed' && hasStarted)
        ? null
        : imageName,
    onNext: () => show(neighbors.next ?? (total > 1 ? 0 : null)),
  })
  const isSlideshow = slideshow.isPlaying
  const endVideo = useEffectEvent(slideshow.goOn)
  useEffect(() => player.onEnd(() => endVideo()), [player])
  useEffect(() => player.setOnce(isSlideshow), [player, isSlideshow])
  const playing: Command = {
    id: 'viewer.slideshow',
    label: slideshow.isPlaying ? 'Stop the slideshow' : 'Slideshow',
    name: 'Start or stop the slideshow',
    icon: Play,
    group: 'view',
    keys: 'Shift+S',
    run: () => {
      slideshow.toggle()
      if (isVideo && !isSlideshow) void player.play()
    },
  }
  const { commands: colorCommands, picker } = useColorPicker({
    imageName,
    stage,
    onOpen: () => {
      player.pause()
      if (isSlideshow) slideshow.toggle()
    },
  })
  const isFullScreen = useIsFullScreen()
  const isIdle = useIsIdle(
    isVideo
      ? { isWatched: isPlaying, wakesByKey: true }
      : { isWatched: isFullScreen, wakesByKey: false },
  )
  // The next image that is opened from the grid is shown whole.
  useEffect(() => () => rememberPart(null), [])
  const commandsWith = (metadata: ViewerContext['metadata']): readonly Command[] => {
    if (!image) return []
    const own = {
      hasQueue,
      metadata,
      together: part,
      compared: neighborRecords[0] ?? null,
      onDetails: toggleDetails,
      onRemove: showNext,
    }
    const commands = [...commandsOf(image, own), ...videoCommands, ...colorCommands, playing]
    return document.fullscreenEnabled ? [...commands, fullScreen] : commands
  }
  const commands = commandsWith('later')
  const changedKeys = useChangedKeys()
  const videoKeys =
    isVideo && image.video?.has_sound !== false ? keysOf(viewerKeys.mute, changedKeys) : []
  /** Removes the keys that mute a video instead. */
  const withFreeKeys = (command: Command): Command =>
    keysOf(command, changedKeys).some((keys) => areOneOf(keys, videoKeys))
      ? { ...command, keys: [] }
      : command
  const menuItems = (except: readonly string[] = []) =>
    image && (
      <ViewerMenuItems
        image={image}
        part={part}
        except={except}
        commandsWith={(metadata) => commandsWith(metadata).map(withFreeKeys)}
      />
    )
  useViewerKeys({
    neighbors,
    total,
    show,
    commands,
    onMenu: () => openContextMenu(stage.current),
    videoKeys,
  })

  return (
    <div className="group/viewer contents" data-idle={isIdle || undefined}>
      <LightboxToolbar
        isFloating={isFullScreen}
        image={image ?? null}
        positionText={
          viewPosition === null ? '' : formatViewPosition(viewPosition, total, formatCount)
        }
        commands={commands.map(withFreeKeys)}
        menuItems={menuItems}
        onClose={closeImage}
      />
      <div className="relative flex min-h-0 flex-1 flex-col beside:flex-row">
        <ContextMenu
          label={isVideo ? 'Video' : 'Image'}
          heading={image && <bdi>{imageLabelOf(image)}</bdi>}
          opensByTouch
          onOpen={() => (image ? stage.current : null)}
          area={
            <div
              ref={stage}
              data-theme="dark"
              className={`relative min-h-0 min-w-0 flex-1 bg-sunken text-ink ${isIdle ? 'cursor-none' : ''} ${isDetailsOpen ? 'short:max-[30rem]:invisible' : ''}`}
            >
              {image ? (
                <ZoomStage
                  key={image.image_name}
                  image={image}
                  onSwipe={swiped}
                  picture={(look) =>
                    isVideo ? (
                      <StageVideo image={image} player={player} {...look} />
                    ) : (
                      <StageImage
                        image={image}
                        fullUrl={drawnUrl(client, image)}
                        onLoadState={(state) => setLoaded({ imageName: image.image_name, state })}
                        {...look}
                      />
                    )
                  }
                  controls={
                    isVideo && loadState !== 'failed'
                      ? (zoom, isCramped) => (
                          <VideoBar
                            player={player}
                            image={image}
                            isIdle={isIdle}
                            isCramped={isCramped}
                            zoom={zoom}
                          />
                        )
                      : undefined
                  }
                />
              ) : (
                <NoImage
                  noun={noun}
                  isMissing={image === null}
                  hasFailed={hasFailed}
                  wasShown={wasShown}
                  wayOn={wayOn}
                />
              )}
              {image && isDeleted && <DeletedNote noun={noun} wayOn={wayOn} />}
              {isVideo && <WaitingSign player={player} />}
              {isVideo && <StartButton player={player} />}
              {isVideo && (
                <VideoProblem
                  player={player}
                  image={image}
                  download={commands.find(({ id }) => id === 'download')}
                />
              )}
              {image && !isDeleted && !isVideo && (
                <StageNote format={undrawableFormat(image.media_type)} loadState={loadState} />
              )}
              <PageButton direction="previous" position={neighbors.previous} onShow={show} />
              <PageButton direction="next" position={neighbors.next} onShow={show} />
              {slideshow.isPlaying && (
                <SlideshowControls isRaised={isVideo} onStop={slideshow.toggle} />
              )}
              {image && picker}
            </div>
          }
        >
          {menuItems()}
        </ContextMenu>
        {isDetailsOpen && image && (
          <DetailsPanel
            key={image.image_name}
            image={image}
            part={part}
            downloadWorkflow={commands.find(({ id }) => id === 'downloadWorkflow')}
          />
        )}
      </div>
    </div>
  )
}

interface ViewerMenuItemsProps {
  image: ImageRecord
  part: readonly string[]
  except: readonly string[]
  commandsWith: (metadata: ViewerContext['metadata']) => readonly Command[]
}

/** The items of the viewer's menus. Some need metadata, which loads when a menu opens. */
function ViewerMenuItems({ image, part, except, commandsWith }: ViewerMenuItemsProps) {
  const { client } = useGallery()
  const { data: metadata } = useQuery(metadataQueries(client).normal(image.image_name, part))
  const commands = commandsWith(metadata).filter(({ id }) => !except.includes(id))
  return <CommandItems commands={commands} />
}

const fullScreen: Command = {
  id: 'viewer.fullScreen',
  label: 'Full screen',
  icon: Maximize,
  group: 'view',
  keys: 'f',
  run: toggleFullScreen,
}
