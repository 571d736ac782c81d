import Type, { type Static } from 'typebox'
import { affectedBoards, ImageRecord, ItemKind, Rating, TaggedImages } from '#contract/image.ts'
import { filterQuery } from '#contract/image-filter.ts'
import {
  MAX_DUPLICATE_GROUPS,
  MAX_HASH_DISTANCE,
  MAX_QUERY_LENGTH,
  TRASH_DAYS,
} from '#contract/limits.ts'
import { operationsOf } from '#contract/operation.ts'
import { Nullable } from '#contract/schema.ts'
import { RestoreResult } from '#contract/trash-operations.ts'

/**
 * How much alike duplicates are. Each value includes the ones before it: `bytes`: the same file; `picture`: the same
 * picture in another size, format, quality, with other metadata, turned or mirrored; `near`: nearly the same picture.
 */
export const DuplicateMatch = Type.Enum(['bytes', 'picture', 'near'])
export type DuplicateMatch = Static<typeof DuplicateMatch>

/**
 * Why the suggested image of a group is better than the others. It has more pixels, else more metadata, the format of a
 * generator or camera, a star, a board, more bytes, or else it is the oldest one.
 */
export const KeepReason = Type.Enum([
  'pixels',
  'format',
  'metadata',
  'starred',
  'board',
  'bytes',
  'oldest',
])
export type KeepReason = Static<typeof KeepReason>

/** Images that are duplicates of each other (extension). */
export const DuplicateGroup = Type.Object({
  images: Type.Array(ImageRecord, {
    description: 'The suggested one first. Videos are among them',
  }),
  keep: Type.String({ description: 'The name of the image that the server suggests to keep' }),
  reason: KeepReason,
  bytes: Type.Integer({ description: 'Size of the other files: what removing them gains' }),
})
export type DuplicateGroup = Static<typeof DuplicateGroup>

/** How far a comparison is. */
export const DuplicateProgress = Type.Object({
  done: Type.Integer({ description: 'Number of compared images' }),
  total: Type.Integer(),
})
export type DuplicateProgress = Static<typeof DuplicateProgress>

/** A page of groups, those with most bytes to gain first (extension). */
export const DuplicatesPage = Type.Object({
  items: Type.Array(DuplicateGroup),
  offset: Type.Integer(),
  limit: Type.Integer(),
  total: Type.Integer({ description: 'Number of groups' }),
  image_count: Type.Integer({ description: 'Number of images in all groups' }),
  bytes: Type.Integer({ description: 'What removing all but one image of each group gains' }),
  progress: Nullable(DuplicateProgress),
})
export type DuplicatesPage = Static<typeof DuplicatesPage>

/** Default of `distance`. */
export const DEFAULT_HASH_DISTANCE = 7

const define = operationsOf({ tag: 'duplicates', extension: true })

export const listDuplicates = define('GET', '/api/v1/duplicates', {
  operationId: 'list_duplicates',
  summary: 'Lists groups of duplicates',
  description:
    'Images are compared in the background. Until all are compared, `progress` is not null, and the list has the groups of an earlier comparison, or none: ask again. The comparison ends if nobody asks for ten seconds.',
  query: Type.Object({
    match: Type.Optional(Type.Enum([...DuplicateMatch.enum], { default: 'picture' })),
    distance: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_HASH_DISTANCE,
        default: DEFAULT_HASH_DISTANCE,
        description: 'Of `near`: in how many of 63 bits two pictures may differ',
      }),
    ),
    ...filterQuery,
    kind: Type.Optional(Type.Enum([...ItemKind.enum], { default: 'all' })),
    board_id: Type.Optional(
      Type.String({ description: 'Default: all boards. `none` for uncategorized images' }),
    ),
    query: Type.Optional(
      Type.String({
        maxLength: MAX_QUERY_LENGTH,
        description: 'As in lists of images. Groups have only images that it finds',
      }),
    ),
    offset: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
    limit: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_DUPLICATE_GROUPS, default: 50 })),
  }),
  answers: { 200: DuplicatesPage },
})

const resolveIdLength = { minLength: 1, maxLength: 100 }

/** One group to resolve. */
export const ResolvedGroup = Type.Object({
  resolve_id: Type.Optional(
    Type.String({
      ...resolveIdLength,
      description: `Chosen by the client. A repeated request with the same ID changes nothing and gets the same answer, but without \`affected_boards\`. \`unresolve\` takes it. It is known for ${TRASH_DAYS} days`,
    }),
  ),
  keep: Type.String({ description: 'The image to keep' }),
  image_names: Type.Array(Type.String(), { description: 'The other images' }),
})
export type ResolvedGroup = Static<typeof ResolvedGroup>

/** The changes of a resolution, from which it can be undone (extension). */
export const ResolveResult = Type.Object({
  affected_boards: affectedBoards,
  trashed_images: Type.Array(Type.String(), { description: 'Images that are in the trash now' }),
  starred_images: Type.Array(Type.String(), {
    description: 'Kept images that got the star of another one',
  }),
  previous_ratings: Type.Array(
    Type.Object({ rating: Rating, image_names: Type.Array(Type.String()) }),
    {
      description: 'The ratings of kept images that got a higher one, before that',
    },
  ),
  added_tags: Type.Array(TaggedImages, { description: 'Tags that kept images got' }),
  failed_images: Type.Array(Type.String(), {
    description:
      'Images that are unknown or in the trash, and all others of groups without a kept one',
  }),
})
export type ResolveResult = Static<typeof ResolveResult>

export const resolveDuplicates = define('POST', '/api/v1/duplicates/resolve', {
  operationId: 'resolve_duplicates',
  summary:
    'Keeps one image of each group, which gets the star, the highest rating and the tags of the others, and moves the others to the trash',
  body: Type.Object({ groups: Type.Array(ResolvedGroup, { maxItems: MAX_DUPLICATE_GROUPS }) }),
  answers: { 200: ResolveResult },
  refusals: ['invalid_duplicates', 'too_many_names'],
  limit: 'batch',
})

/** The changes by the undo of a resolution (extension). */
export const UnresolveResult = Type.Object({
  affected_boards: affectedBoards,
  restored_images: Type.Array(Type.String(), {
    description: 'Images that are no longer in the trash',
  }),
  images_by_board: RestoreResult.properties.images_by_board,
  changed_images: Type.Array(Type.String(), {
    description: 'Kept images that lost a star, a rating or tags of the others',
  }),
})
export type UnresolveResult = Static<typeof UnresolveResult>

export const unresolveDuplicates = define('POST', '/api/v1/duplicates/unresolve', {
  operationId: 'unresolve_duplicates',
  summary:
    'Undoes resolved groups: restores the images from the trash, and takes their star, rating and tags from the kept ones',
  description:
    'Unknown IDs are ignored. A rating that was changed since stays. If an image of a group no longer exists, the kept one stays as it is. The same ID can be resolved again.',
  body: Type.Object({
    resolve_ids: Type.Array(Type.String(resolveIdLength), { maxItems: MAX_DUPLICATE_GROUPS }),
  }),
  answers: { 200: UnresolveResult },
  limit: 'batch',
})

/** Images that are not duplicates of each other. */
export const DismissedGroup = Type.Object({ image_names: Type.Array(Type.String()) })
export type DismissedGroup = Static<typeof DismissedGroup>

const dismissedBody = Type.Object({
  groups: Type.Array(DismissedGroup, { maxItems: MAX_DUPLICATE_GROUPS }),
})

export const dismissDuplicates = define('POST', '/api/v1/duplicates/dismiss', {
  operationId: 'dismiss_duplicates',
  summary:
    'Remembers that the images of each group are not duplicates. A group is listed again if it gets another image',
  body: dismissedBody,
  answers: { 200: Type.Null() },
  refusals: ['invalid_duplicates', 'too_many_names'],
})

export const undismissDuplicates = define('POST', '/api/v1/duplicates/undismiss', {
  operationId: 'undismiss_duplicates',
  summary: 'Forgets dismissed groups. Takes what `dismiss` took; other groups are ignored',
  body: dismissedBody,
  answers: { 200: Type.Null() },
  refusals: ['invalid_duplicates', 'too_many_names'],
})
