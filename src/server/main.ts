#!/usr/bin/env node
// As a whole: a name that an older Node lacks would stop it before the check below.
import nodeModule from 'node:module'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < 22 || (major === 22 && minor < 12)) {
  console.error(`Tessera needs Node 22.12 or newer; this is ${process.versions.node}.`)
  process.exitCode = 1
} else {
  // Size of libuv's thread pool: images are decoded on these threads, one more than there are cores; the others are
  // for files. Node creates them on first use, so this must run before anything else.
  process.env.UV_THREADPOOL_SIZE ??= String(availableParallelism() + 4)
  // Uploads are short-lived buffers: with a young generation of 16 MB per thread the process is 60 MB larger and no
  // faster. The first setting is for future threads, the second for this one.
  setFlagsFromString('--max-semi-space-size=4')
  setFlagsFromString('--semi-space-growth-factor=1')
  // Caches compiled code, which makes the next start a third faster, also in threads. An empty setting counts as
  // absent: `enableCompileCache('')` would write to the current folder.
  process.env.NODE_COMPILE_CACHE ||= join(tmpdir(), 'node-compile-cache')
  nodeModule.enableCompileCache(process.env.NODE_COMPILE_CACHE)
  // Imported late, because an older Node may not even be able to load it.
  const { run } = await import('#server/start/run.ts')
  await run(process.argv.slice(2))
}
