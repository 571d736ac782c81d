import Type, { type Static } from 'typebox'
import { ImageRecord } from '#contract/image.ts'
import { MAX_CHANGED_RECORDS, MAX_LISTED_CHANGES } from '#contract/limits.ts'
import { operationsOf } from '#contract/operation.ts'
import { Nullable } from '#contract/schema.ts'

const define = operationsOf({ tag: 'changes', extension: true })

const names = (description: string) => Type.Array(Type.String(), { description })

/**
 * Request header that names where a change comes from, such as a tab of a browser. The log of changes stores it, so that
 * a client can leave out its own changes.
 */
export const ORIGIN_HEADER = 'tessera-origin'

/** Maximum length of an origin. Longer ones are ignored. */
export const MAX_ORIGIN_LENGTH = 100

/** Changed images or boards by kind of change. Each is in one list only. */
const Kinds = Type.Object({
  created: names('Added, also if they were changed since'),
  updated: names('Changed, moved, moved to the trash or restored'),
  destroyed: names('Permanently deleted'),
})

/** The changes of a library between two states, as in JMAP (RFC 8620, section 5.2): what changed, not how. */
export const LibraryChanges = Type.Object({
  old_state: Type.String(),
  new_state: Type.String({ description: 'The `since` of the next request' }),
  has_more: Type.Boolean({ description: 'Whether there are more changes after `new_state`' }),
  images: Kinds,
  boards: Kinds,
  unlisted_boards: Type.Array(Type.String(), {
    description:
      'Boards with changed images that `images` does not name. `none`: the images without a board',
  }),
  is_everything_unlisted: Type.Boolean({
    description: 'Whether any image or board may have changed, as after a repair',
  }),
  records: Type.Optional(
    Type.Array(ImageRecord, {
      description: `With \`include_records\`: the records of created and updated images, also those in the trash. Absent if more than ${MAX_CHANGED_RECORDS} images were created or updated`,
    }),
  ),
  idle_ms: Nullable(
    Type.Integer({ description: 'Milliseconds since the last change; null if none is known' }),
  ),
})
export type LibraryChanges = Static<typeof LibraryChanges>

/** Lists changes. Tagged `changes`, because its answer names the state itself. */
export const listChanges = define('GET', '/api/v1/changes', {
  operationId: 'list_changes',
  summary: 'Lists what has changed since a state of the library',
  query: Type.Object({
    since: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'A `new_state`. Absent: returns the current state, without changes',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_LISTED_CHANGES,
        default: MAX_LISTED_CHANGES,
        description: 'Maximum number of requests whose changes are listed',
      }),
    ),
    include_records: Type.Optional(
      Type.Boolean({ default: false, description: 'Adds the records of changed images' }),
    ),
    except_origin: Type.Optional(
      Type.String({
        maxLength: MAX_ORIGIN_LENGTH,
        description: 'Leaves out the changes of requests with this `Tessera-Origin`',
      }),
    ),
  }),
  answers: { 200: LibraryChanges },
  refusals: ['state_unknown'],
  // Clients ask after each event, and every few seconds without events.
  limit: 'poll',
})
