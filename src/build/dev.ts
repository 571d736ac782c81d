import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer as createNetServer } from 'node:net'
import { join } from 'node:path'
import { createServer, type ProxyOptions } from 'vite'
import { projectRoot } from './project-root.ts'
import { stopWithNpm } from './stop-with-npm.ts'

const port = await freePort()
const target = `http://127.0.0.1:${port}`
const server = startServer(process.argv.slice(2))

server.once('exit', (code) => process.exit(code ?? 1))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
stopWithNpm()

const vite = await createServer({
  root: projectRoot,
  server: {
    host: '127.0.0.1',
    proxy: { '/api': toServer(), '/openapi.json': toServer(), '/ws': { ...toServer(), ws: true } },
  },
})
await vite.listen()
vite.printUrls()

/** Exits after the server. Vite has no unsaved data. */
function stop(): void {
  server.removeAllListeners('exit')
  server.once('exit', () => process.exit(0))
  server.kill('SIGTERM')
}

/** The server restarts when one of its files changes. Vite updates the page. */
function startServer(flags: string[]): ChildProcess {
  const main = join(projectRoot, 'src/server/main.ts')
  const watched = ['src/server', 'src/contract'].map((path) => `--watch-path=${path}`)
  return spawn(
    process.execPath,
    [...watched, '--watch-preserve-output', main, ...flags, '--port', String(port)],
    { cwd: projectRoot, stdio: ['ignore', 'inherit', 'inherit'] },
  )
}

/** Proxies to the server with its own host and origin, because it refuses those of Vite's page. */
function toServer(): ProxyOptions {
  return {
    target,
    changeOrigin: true,
    configure: (proxy) => {
      proxy.on('proxyReq', (request) => {
        if (request.hasHeader('origin')) request.setHeader('origin', target)
      })
      proxy.on('proxyReqWs', (request) => request.setHeader('origin', target))
    },
  }
}

async function freePort(): Promise<number> {
  const probe = createNetServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}
