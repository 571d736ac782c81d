import { buildModules } from './build-modules.ts'
import { buildPage } from './build-page.ts'
import { rollUpTypes } from './roll-up-types.ts'

const isBuilt = await buildPage({ onBuild: () => console.log('Building the page …') })
console.log(isBuilt ? 'The page is in dist/page.' : 'The page in dist/page is up to date.')
await buildModules()
await rollUpTypes()
console.log('The server is in dist/server, the client library in dist/client.')
