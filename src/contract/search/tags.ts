import Type, { type Static } from 'typebox'
import { MAX_TAG_LENGTH } from '#contract/limits.ts'
import { operationsOf } from '#contract/operation.ts'
import { Nullable, Timestamp } from '#contract/schema.ts'

/** The colors of tags. Clients choose the shades. */
export const TagColor = Type.Enum([
  ...['red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple', 'pink', 'gray'],
])
export type TagColor = Static<typeof TagColor>

/** The name of a tag, such as `keep` or `people/anna`. */
export const TagName = Type.String({
  minLength: 1,
  maxLength: MAX_TAG_LENGTH,
  description:
    'Levels are separated by `/`. Case and accents do not matter: the first spelling is stored',
  examples: ['people/anna'],
})

/** A tag of images and videos, which all clients of the server share. */
export const Tag = Type.Object({
  name: Type.String({ description: 'Levels are separated by `/`' }),
  color: Nullable(TagColor),
  count: Type.Integer({
    minimum: 0,
    description:
      'Images and videos with this tag itself, without intermediate ones and the trash. Those of levels below it are not counted',
  }),
  used_at: Timestamp,
})
export type Tag = Static<typeof Tag>

export const TagList = Type.Object({
  tags: Type.Array(Tag, { description: 'In the order of their names' }),
})
export type TagList = Static<typeof TagList>

/** Changes to a tag. An absent key leaves the property unchanged. */
export const TagChanges = Type.Object(
  {
    name: TagName,
    new_name: Type.Optional(TagName),
    color: Type.Optional(Nullable(TagColor)),
  },
  { additionalProperties: false },
)
export type TagChanges = Static<typeof TagChanges>

/** A change of tags, which can be undone. */
export const TagChange = Type.Object({
  change_id: Type.String({ description: 'For `restore_tags`. It is known for 30 days' }),
  name: Type.String({ description: 'The name of the tag after the change' }),
  tags: Type.Integer({ description: 'Number of changed tags: the tag and the levels below it' }),
  merged: Type.Integer({ description: 'Number of these that became one with another tag' }),
})
export type TagChange = Static<typeof TagChange>

const define = operationsOf({ tag: 'tags', extension: true })

export const listTags = define('GET', '/api/v1/tags', {
  operationId: 'list_tags',
  summary: 'Lists the tags that images have, and those with a color',
  answers: { 200: TagList },
})

export const updateTag = define('PATCH', '/api/v1/tags', {
  operationId: 'update_tag',
  summary:
    'Renames a tag with all levels below it, or sets its color. If a tag has the new name, the two become one',
  body: TagChanges,
  answers: { 200: TagChange },
  refusals: ['invalid_tag', 'tag_not_found', 'too_many_tags'],
})

export const deleteTag = define('POST', '/api/v1/tags/delete', {
  operationId: 'delete_tag',
  summary: 'Deletes a tag with all levels below it. The images stay',
  body: Type.Object({ name: TagName }),
  answers: { 200: TagChange },
  refusals: ['invalid_tag', 'tag_not_found'],
})

export const restoreTags = define('POST', '/api/v1/tags/restore', {
  operationId: 'restore_tags',
  summary: 'Undoes a change or a deletion of a tag, with the images that had it',
  body: Type.Object({ change_id: Type.String() }),
  answers: { 200: Type.Object({ tags: Type.Integer({ description: 'Number of changed tags' }) }) },
  refusals: ['tag_change_not_found'],
})
