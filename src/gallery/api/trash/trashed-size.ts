import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { TesseraClient } from '#client/index.ts'
import { knownImages } from '#gallery/api/images/known-images.ts'

/** Records per answer. Parsing a larger answer would block the page noticeably. */
const PART = 2_500

/**
 * The size of named images in bytes: of the cached records, and of the records that the server returns for the others.
 *
 * @param id - Identifies the list of names. Comparing the names would be slow.
 */
export const trashedSize = (
  { client, queryClient }: { client: TesseraClient; queryClient: QueryClient },
  id: number,
  imageNames: readonly string[],
) =>
  queryOptions({
    queryKey: ['size of images', id] as const,
    queryFn: async ({ signal }): Promise<number> => {
      const known = knownImages(queryClient, imageNames)
      const records = [...known.values()]
      const missing = imageNames.filter((name) => !known.has(name))
      for (let start = 0; start < missing.length; start += PART) {
        const part = missing.slice(start, start + PART)
        records.push(...(await client.images.getMany(part, { signal })))
      }
      return records.reduce((bytes, { file_size }) => bytes + (file_size ?? 0), 0)
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
