/*
 * Shows the page when the server cannot be reached, so that a person sees its banner instead of the browser's
 * error. The page itself always comes from the server if that answers, so nobody stays on an old version.
 *
 * Stores static files of one build, which are the same for everybody: no answer of the API, no image, and no
 * address of the page, which may carry a token. It imports nothing, because it runs as a classic script.
 */

declare const self: ServiceWorkerGlobalScope

/** Names the build. The build puts both constants before the text of this file. */
declare const VERSION: string
/** The paths of all built files with a hash in their names. */
declare const ASSETS: readonly string[]

const PREFIX = 'tessera-page-'
const CACHE = `${PREFIX}${VERSION}`

/** Files of the page without a hash in their names. */
const UNHASHED = ['/theme.js', '/icon.svg', '/manifest.webmanifest']

/** Stores the page and the files that it names. Lazy parts are stored when they are used. */
async function storePage(): Promise<void> {
  const cache = await caches.open(CACHE)
  const page = await fetch('/')
  const html = await page.clone().text()
  const named = ASSETS.filter((path) => html.includes(path))
  // A proxy may answer with its own login page, and browsers refuse a redirected answer to a navigation.
  if (!page.ok || page.redirected || named.length === 0) {
    throw new Error(`The answer (${page.status}) is not the page of this build.`)
  }
  await cache.addAll([...UNHASHED, ...named])
  await cache.put('/', page)
}

async function deleteOldCaches(): Promise<void> {
  const names = await caches.keys()
  const old = names.filter((name) => name.startsWith(PREFIX) && name !== CACHE)
  await Promise.all(old.map((name) => caches.delete(name)))
}

async function getStored(path: string): Promise<Response | undefined> {
  const cache = await caches.open(CACHE)
  // Responses vary by Accept-Encoding, which does not matter once they are decoded.
  return cache.match(path, { ignoreVary: true })
}

/** Asks the server, and answers with the stored file if the server does not answer. */
async function serverFirst(request: Request, path: string): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    const response = await getStored(path)
    if (response) return response
    throw error
  }
}

/** Answers with the stored file, or asks the server and stores its answer. */
async function storedFirst(request: Request, path: string): Promise<Response> {
  const before = await getStored(path)
  if (before) return before
  const response = await fetch(request)
  if (response.ok) {
    const cache = await caches.open(CACHE)
    await cache.put(path, response.clone())
  }
  return response
}

self.addEventListener('install', (event) => {
  event.waitUntil(storePage())
  void self.skipWaiting()
})

self.addEventListener('activate', (event) => {
  event.waitUntil(deleteOldCaches().then(() => self.clients.claim()))
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (ASSETS.includes(pathname)) event.respondWith(storedFirst(request, pathname))
  else if (pathname === '/' ? request.mode === 'navigate' : UNHASHED.includes(pathname)) {
    event.respondWith(serverFirst(request, pathname))
  }
})
