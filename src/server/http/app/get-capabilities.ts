import { getCapabilities } from '#contract/app-operations.ts'
import { isFromThisMachine } from '#server/http/guards/this-machine.ts'
import { defineRoute } from '#server/http/route.ts'

/** What whoever asks can use: folders of this machine are nobody else's. */
export const getCapabilitiesRoute = defineRoute(getCapabilities, async ({ about }, { request }) =>
  isFromThisMachine(request)
    ? about
    : { ...about, extensions: about.extensions.filter((name) => name !== 'imports') },
)
