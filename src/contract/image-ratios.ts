import Type, { type Static } from 'typebox'
import { IMAGES_PER_RATIO_SUM, RATIO_UNIT, STARRED_GROUP } from './image-ratio.ts'
import { Nullable } from './schema.ts'

/** Images of a view that follow each other: a day, the starred images before all days, or all images. */
export const RatioGroup = Type.Object({
  day: Nullable(
    Type.String({
      description: `\`YYYY-MM-DD\`, \`${STARRED_GROUP}\`, or null if the view is not divided`,
    }),
  ),
  count: Type.Integer({ minimum: 1 }),
  sums: Type.Array(Type.Integer(), {
    description: `Sums of the ratios of ${IMAGES_PER_RATIO_SUM} images each, the last one of the rest. A ratio is width divided by height, from 1/4 to 4, times ${RATIO_UNIT}`,
  }),
})
export type RatioGroup = Static<typeof RatioGroup>

/** The proportions of the images of a view, in its order (extension). A justified layout needs no more to know its height. */
export const ImageRatios = Type.Object({ groups: Type.Array(RatioGroup) })
export type ImageRatios = Static<typeof ImageRatios>
