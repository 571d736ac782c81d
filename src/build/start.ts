import { buildPage } from './build-page.ts'
import { stopWithNpm } from './stop-with-npm.ts'

const [first = '-'] = process.argv.slice(2)
// Commands, such as "import", have a name and show no page; help does not either.
const showsPage = first.startsWith('-') && first !== '--help' && first !== '-h'
if (showsPage) {
  const startedAt = Date.now()
  const isBuilt = await buildPage({ onBuild: () => process.stdout.write('Building the page … ') })
  if (isBuilt) console.log(`done in ${((Date.now() - startedAt) / 1000).toFixed(1)} s.`)
}

stopWithNpm()
// The server reads the same process.argv and handles signals itself, as if it had been started alone. The
// address is computed: this is the build's only reference to the server, and it needs none of its types.
await import(new URL('../server/main.ts', import.meta.url).href)
