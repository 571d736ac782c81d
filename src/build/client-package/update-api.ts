import { buildClientPackage } from './build-client-package.ts'

await buildClientPackage(undefined, { isApiUpdated: true })
