import { getCapabilities } from '#contract/app-operations.ts'
import { isFromThisMachine } from '#server/http/guards/this-machine.ts'
import { defineRoute } from '#server/http/route.ts'

/** Only clients on this machine learn of its folders. */
export const getCapabilitiesRoute = defineRoute(getCapabilities, async ({ about }, { request }) => {
  if (isFromThisMachine(request)) return about
  const { data_folder: _, ...others } = about
  return { ...others, extensions: others.extensions.filter((name) => name !== 'imports') }
})
