import { knownImages } from '#gallery/api/images/known-images.ts'
import { nounOfNames } from '#gallery/api/images/noun.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import { takeStep } from './outbox-steps.ts'
import { lookUp } from './request-sender.ts'
import { confirmUnload, type Images } from './rule-steps.ts'
import type { StepsApi } from './step-options.ts'

const ASPECT = 'rating'

/** Rates images with a lower rating, and leaves the others as they are. */
export async function raiseRatings(api: StepsApi, images: Images, rating: number): Promise<void> {
  const allowUnload = confirmUnload()
  const count = 'positions' in images ? images.positions.length : images.length
  const noun = 'positions' in images ? images.noun : nounOfNames(images)
  const action = { aspect: ASPECT, wanted: rating, count, noun } as const
  try {
    const names = 'positions' in images ? await images.names() : images
    const before = await ratingsOf(api, names)
    const lower = names.filter((name) => (before.get(name) ?? 0) < rating)
    const leftOutCount = names.length - lower.length
    if (lower.length === 0) {
      api.emit({ kind: 'nothing', action: { ...action, leftOutCount } })
      return
    }
    const options = { aspect: ASPECT, wanted: rating, targets: lower, leftOutCount } as const
    takeStep(api, { ...options, before: (name) => before.get(name) })
  } catch (error) {
    const retry = () => void raiseRatings(api, images, rating)
    api.emit({ kind: 'unnamed', action, reason: reasonOf(error), retry })
  } finally {
    allowUnload()
  }
}

/** Returns the ratings that the page shows, else those of the server. */
async function ratingsOf(
  { client, queryClient }: StepsApi,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const known = knownImages(queryClient, names)
  const unknown = names.filter((name) => !known.has(name))
  const found = await lookUp(client, ASPECT, unknown)
  return new Map(
    names.flatMap((name): [string, number][] => {
      const rating = known.get(name)?.rating ?? found.get(name)
      return rating === undefined ? [] : [[name, Number(rating)]]
    }),
  )
}
