import { getAppDeps } from '#contract/app-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const getAppDepsRoute = defineRoute(getAppDeps, async ({ about }) => ({
  tessera: about.version,
  node: process.versions.node,
}))
