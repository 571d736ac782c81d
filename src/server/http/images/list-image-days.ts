import { listImageDays } from '#contract/image-operations.ts'
import { defineRoute } from '#server/http/route.ts'
import { viewOf } from './view-of.ts'

export const listImageDaysRoute = defineRoute(listImageDays, ({ images }, { query }) => {
  const { order_by = 'created_at', time_zone = 'UTC' } = query
  return images.days({ ...viewOf(query), orderBy: order_by }, time_zone)
})
