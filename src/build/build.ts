import { buildPage } from './build-page.ts'
import { buildServerPackage } from './build-server.ts'
import { buildClientPackage } from './client-package/build-client-package.ts'
import { rollUpServerTypes } from './roll-up-types.ts'

const isBuilt = await buildPage({ onBuild: () => console.log('Building the page …') })
console.log(isBuilt ? 'The page is in dist/page.' : 'The page in dist/page is up to date.')
await buildServerPackage()
await rollUpServerTypes()
await buildClientPackage()
console.log('The server is in dist/server, the client library in dist/client.')
