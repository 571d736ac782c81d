import { queryOptions, useQuery } from '@tanstack/react-query'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { gallery } from '#gallery/api/connection/connection.ts'

/** A model that can make an image larger. */
export interface Upscaler {
  readonly key: string
  readonly name: string
}

/** The ONNX models of the server. */
export const upscalersQuery = queryOptions({
  queryKey: ['upscalers'],
  queryFn: async ({ signal }): Promise<readonly Upscaler[]> => {
    const models = await gallery.models.list({ modelFormat: 'onnx', signal })
    return models.filter(({ fault }) => !fault).map(({ key, name }) => ({ key, name }))
  },
})

const none: readonly Upscaler[] = []

/** The ONNX models of the server; none where it cannot run any; undefined until that is known. */
export function useUpscalers(): readonly Upscaler[] | undefined {
  const enabled = useHasExtension('onnx_models')
  const { data } = useQuery({ ...upscalersQuery, enabled })
  return enabled ? data : none
}
