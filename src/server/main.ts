#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < 22 || (major === 22 && minor < 12)) {
  console.error(`Tessera needs Node 22.12 or newer; this is ${process.versions.node}.`)
  process.exitCode = 1
} else {
  // Pictures are decoded on these threads, one more than there are cores; the rest is for files. Node
  // makes them when they are first used, so this must come before anything else does.
  process.env.UV_THREADPOOL_SIZE ??= String(availableParallelism() + 4)
  // Uploads are short-lived buffers: with a young generation of 16 MB in each thread the process is 60 MB
  // larger and no faster. The first is for threads to come, the second for this one.
  setFlagsFromString('--max-semi-space-size=4')
  setFlagsFromString('--semi-space-growth-factor=1')
  // Node caches compiled code for the next start, which then takes a third less time. Threads use the cache too.
  // An empty setting counts as none: `enableCompileCache('')` would write to the current folder.
  process.env.NODE_COMPILE_CACHE ||= join(tmpdir(), 'node-compile-cache')
  enableCompileCache(process.env.NODE_COMPILE_CACHE)
  // Loaded only now: what it imports may not even load in an older Node.
  const { run } = await import('#server/start/run.ts')
  await run(process.argv.slice(2))
}
