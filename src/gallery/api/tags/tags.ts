import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import type { TesseraClient } from '#client/index.ts'
import type { Tag, TagChange } from '#contract/search/tags.ts'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import type { Journal } from '#gallery/api/journal/journal.ts'
import type { TagsAction } from '#gallery/api/journal/journal-state.ts'
import type { Runner } from '#gallery/api/journal/journal-types.ts'
import type { TagRequest, TagsRecipe } from '#gallery/api/journal/recipe.ts'
import { GONE } from '#gallery/api/outbox/skip-reasons.ts'
import { usePart } from '#gallery/api/parts.ts'
import type { Refresh } from '#gallery/api/refresh.ts'
import { TAGS_KEY } from './tag-lists.ts'

export type { Tag, TagColor } from '#contract/search/tags.ts'

interface TagsApi {
  readonly client: Pick<TesseraClient, 'tags'>
  readonly queryClient: QueryClient
  readonly journal: Pick<Journal, 'add' | 'confirm' | 'save' | 'stored' | 'undo'>
  readonly refresh: Pick<Refresh, 'all'>
}

/** A change that was made, and its Undo, which a reload does not lose. */
interface Changed {
  readonly change: TagChange
  readonly undo: () => void
}

/** The tags of the library, and their changes. The tags of images are changed by the outbox. */
export class Tags {
  readonly #api: TagsApi
  readonly query

  constructor(api: TagsApi) {
    this.#api = api
    this.query = queryOptions({
      queryKey: TAGS_KEY,
      queryFn: ({ signal }): Promise<readonly Tag[]> => api.client.tags.list({ signal }),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: Number.POSITIVE_INFINITY,
    })
  }

  /**
   * Renames, merges, colors or deletes a tag.
   *
   * @throws {RefusedError | ConnectionError} Nothing was changed.
   */
  async change(request: TagRequest): Promise<Changed> {
    const { journal, refresh } = this.#api
    const change = await this.#send(request)
    const action = actionOf(request, change)
    const recipe: TagsRecipe = { kind: 'tags', changeId: change.change_id, request }
    const entry = journal.add({ action, thumbnails: [], recipe }, null)
    journal.confirm(entry)
    refresh.all()
    await journal.stored()
    return { change, undo: () => void journal.undo(entry) }
  }

  /** Returns the Undo and the Redo of a change. */
  runnerOf(entry: string, { changeId, request }: TagsRecipe): Runner {
    const { client, journal, refresh } = this.#api
    const done = { done: [request.name], failed: [] }
    return {
      undo: async () => {
        const isRestored = await client.tags.restore(changeId)
        refresh.all()
        return isRestored ? done : { done: [], failed: [{ name: request.name, reason: GONE }] }
      },
      redo: async () => {
        const { change_id } = await this.#send(request)
        journal.save(entry, { kind: 'tags', changeId: change_id, request })
        refresh.all()
        return done
      },
    }
  }

  async #send({ name, changes }: TagRequest): Promise<TagChange> {
    const { tags } = this.#api.client
    const change = await (changes === null ? tags.delete(name) : tags.update(name, changes))
    if (change === null) throw new Error(GONE)
    return change
  }
}

function actionOf({ name, changes }: TagRequest, { merged }: TagChange): TagsAction {
  const common = { kind: 'tags', count: 1, name } as const
  if (changes === null) return { ...common, change: 'deleted' }
  const { new_name: newName } = changes
  if (newName === undefined) return { ...common, change: 'colored' }
  return { ...common, change: merged > 0 ? 'merged' : 'renamed', newName }
}

/** Returns the tags of the library in the order of their names; undefined while unknown, and without the extension. */
export function useTags({ enabled = true } = {}): readonly Tag[] | undefined {
  const tags = usePart(Tags)
  const hasTags = useHasExtension('tags')
  return useQuery({ ...tags.query, enabled: enabled && hasTags }).data
}
