import { deleteTag, listTags, restoreTags, updateTag } from '#contract/search/tags.ts'
import { defineRoute, type Route } from '#server/http/route.ts'

export const tagRoutes: readonly Route[] = [
  defineRoute(listTags, ({ tags }) => tags.list()),
  defineRoute(updateTag, ({ tags }, { body }) => tags.update(body)),
  defineRoute(deleteTag, ({ tags }, { body }) => tags.delete(body.name)),
  defineRoute(restoreTags, ({ tags }, { body }) => tags.restore(body.change_id)),
]
