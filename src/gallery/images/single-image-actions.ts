import type { ImageRecord } from '#contract/image.ts'
import { type LikenessKind, likeCondition } from '#contract/likeness/like-terms.ts'
import type { NormalMetadata } from '#contract/metadata.ts'
import type { GalleryApi } from '#gallery/api/gallery-api.ts'
import { metadataQueries } from '#gallery/api/images/metadata-queries.ts'
import { similarQuery } from '#gallery/api/images/search-queries.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import type { Targets } from '#gallery/images/selection/selected-images.ts'
import { copyPicture, copyPng, copyText, pngOf } from '#gallery/ui/copy-text.ts'
import { fileNameOf } from '#gallery/ui/text/names.ts'
import { showFailure, showToast } from '#gallery/ui/toasts/toast.tsx'
import { formatPlace } from '#gallery/url/place.ts'
import { ALL_BOARDS } from '#gallery/url/place-order.ts'
import { goTo, placeAfter } from '#gallery/url/use-place.ts'

/** The images that actions apply to: those of a grid, or the one in the viewer. */
export interface ImageSource {
  readonly api: GalleryApi
  /** `null` if there are no images to act on. */
  readonly targets: () => Targets | null
  /** Returns the loaded records of the targets. */
  readonly records: () => readonly ImageRecord[]
  /** Returns the images whose metadata is fetched in the same request. */
  readonly together: (image: ImageRecord) => readonly string[]
  /** Call it before the targets disappear, and its result afterwards. They show or select the next image. */
  readonly onRemove: () => () => void
  readonly showDetails: (imageName: string) => void
}

/** Wraps an action so that it runs on the current targets, if there are any. */
export const withTargets =
  ({ targets }: ImageSource, act: (targets: Targets) => void) =>
  () => {
    const current = targets()
    if (current !== null) act(current)
  }

/** Wraps an action so that it runs if there is a single image. */
export const withImage =
  ({ records }: ImageSource, act: (image: ImageRecord) => void) =>
  () => {
    const [image, ...others] = records()
    if (image && others.length === 0) act(image)
  }

/** Returns the actions on a single image of a board or of the trash. */
export function singleImageActions(source: ImageSource) {
  const { api } = source
  const copyOfMetadata = (what: string, pick: (metadata: NormalMetadata) => Value) =>
    withImage(source, (image) => void copyWhenKnown(what, metadataOf(source, image), pick))
  return {
    openInNewTab: withImage(source, ({ image_name }) => {
      window.open(formatPlace(placeAfter({ image: image_name })), '_blank', 'noopener')
    }),
    showDetails: withImage(source, ({ image_name }) => source.showDetails(image_name)),
    copyPicture: withImage(source, (image) => {
      void copyPicture(api.client.images.fullUrl(image)).then((isCopied) =>
        showToast(isCopied ? { title: 'Image copied' } : COPY_REFUSED),
      )
    }),
    copyWithoutMetadata: withImage(source, (image) => void copyWithoutMetadata(api, image)),
    copyPrompt: copyOfMetadata('Prompt', ({ prompt }) => prompt),
    copySeed: copyOfMetadata('Seed', ({ seed }) => seed),
    copyLink: withImage(source, ({ image_name }) => {
      const address = formatPlace(placeAfter({ image: image_name }))
      void copyAndSay('Link', new URL(address, window.location.href).href)
    }),
    copyName: withImage(source, (image) => void copyAndSay('File name', fileNameOf(image))),
  }
}

/** The server makes the file, because a browser keeps texts that are hidden in the pixels. */
async function copyWithoutMetadata(api: GalleryApi, { image_name }: ImageRecord): Promise<void> {
  let fault: unknown = null
  const options = { format: 'png', without_metadata: true } as const
  const png = import('#gallery/api/downloads/fetch-file.ts')
    .then(({ fetchFile }) => fetchFile(api, image_name, options))
    .then(({ file }) => pngOf(file))
  png.catch((error: unknown) => {
    fault = error
  })
  if (await copyPng(png)) showToast({ title: 'Image copied without metadata' })
  else if (fault === null) showToast(COPY_REFUSED)
  else showFailure('Could not copy the image', reasonOf(fault))
}

type Value = string | number | null

const COPY_REFUSED = { title: 'The browser did not allow copying.', tone: 'danger' } as const

async function copyWhenKnown(
  what: string,
  metadata: Promise<NormalMetadata | null>,
  pick: (metadata: NormalMetadata) => Value,
): Promise<void> {
  try {
    const known = await metadata
    const value = known && pick(known)
    if (value === null || value === '') {
      showToast({ title: `The image has no ${what.toLowerCase()}.` })
    } else await copyAndSay(what, String(value))
  } catch (error) {
    showFailure(`Could not load the ${what.toLowerCase()}`, reasonOf(error))
  }
}

async function copyAndSay(what: string, text: string): Promise<void> {
  showToast((await copyText(text)) ? { title: `${what} copied` } : COPY_REFUSED)
}

const metadataOf = ({ api, together }: ImageSource, image: ImageRecord) =>
  api.queryClient.fetchQuery(metadataQueries(api.client).normal(image.image_name, together(image)))

/** Searches all boards for images like one. */
export const searchLike = ({ image_name: imageName }: ImageRecord, by: LikenessKind): void =>
  goTo({ board: ALL_BOARDS, query: likeCondition({ by, imageName }), image: null })

/** Searches the open place for images with the model and the subject of an image. */
export async function searchSimilar(source: ImageSource, image: ImageRecord): Promise<void> {
  try {
    const takesPhrases = source.api.capabilities.has('query')
    const query = similarQuery(await metadataOf(source, image), takesPhrases)
    if (query === '') showToast({ title: 'The image has no parameters to search for.' })
    else goTo({ query, image: null })
  } catch (error) {
    showFailure('Could not load the parameters of the image', reasonOf(error))
  }
}
