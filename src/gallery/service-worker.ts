/*
 * Shows the page when the server cannot be reached, so that the user sees its banner instead of the browser's
 * error page. The page itself always comes from the server if it answers, so that no client stays on an old version.
 *
 * Caches only the static files of one build, which are the same for all users: no API response, no image, and no
 * URL of the page, which may contain a token.
 *
 * Receives images that are shared with the installed page, and stores them until the user adds or discards them.
 *
 * Imports nothing, because it runs as a classic script.
 */

declare const self: ServiceWorkerGlobalScope

/** Name of the build. The build inserts both constants before the text of this file. */
declare const VERSION: string
/** The paths of all built files with a hash in their names, relative to this file. */
declare const ASSETS: readonly string[]

const PREFIX = 'tessera-page-'
const CACHE = `${PREFIX}${VERSION}`

/** Files of the page without a hash in their names. */
const UNHASHED = ['theme.js', 'icon.svg', 'manifest.webmanifest']

/** The path of the page, which is the folder of this file. */
const PAGE = new URL('./', self.location.href).pathname

/** Stores the page and the files that it references. Lazy parts are stored when they are first used. */
async function storePage(): Promise<void> {
  const cache = await caches.open(CACHE)
  const page = await fetch(PAGE)
  const html = await page.clone().text()
  const named = ASSETS.filter((path) => html.includes(path))
  // A proxy may answer with its own login page. Browsers refuse a redirected response to a navigation.
  if (!page.ok || page.redirected || named.length === 0) {
    throw new Error(`The answer (${page.status}) is not the page of this build.`)
  }
  await cache.addAll([...UNHASHED, ...named].map((path) => PAGE + path))
  await cache.put(PAGE, page)
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

/** Fetches from the server, with the stored file as fallback. */
async function serverFirst(request: Request, path: string): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    const response = await getStored(path)
    if (response) return response
    throw error
  }
}

/** Returns the stored file, or fetches it from the server and stores it. */
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

/** `SHARE_PATH` of the contract, without its slash. */
const SHARE_PATH = 'share'
/** `MAX_SHARED_FILES` and `MAX_SHARED_BYTES` of the contract. */
const MAX_FILES = 200
const MAX_BYTES = 512 * 1024 * 1024
/** A longer file name is cut at its start, so that it keeps its extension. */
const MAX_NAME_LENGTH = 255

/** Returns the files of a share. Ignores everything else, because any website can post a form to this URL. */
const filesOf = (form: FormData): File[] =>
  form
    .getAll('files')
    // Browsers send a nameless empty file for an empty file field.
    .filter((value) => value instanceof File && (value.name !== '' || value.size > 0))
    .map((value) => {
      const file = value as File
      if (file.name.length <= MAX_NAME_LENGTH) return file
      return new File([file], file.name.slice(-MAX_NAME_LENGTH).toWellFormed(), { type: file.type })
    })

/** Opens the store that `gallery/uploads/shared-files.ts` reads. */
async function openShares(): Promise<IDBDatabase> {
  const request = indexedDB.open('tessera-shared')
  request.onupgradeneeded = () => request.result.createObjectStore('shares')
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

/** Stores a share, unless the waiting files would exceed the limits. Resolves with true if it is stored. */
async function storeShare(files: readonly File[]): Promise<boolean> {
  const database = await openShares()
  try {
    return await new Promise((resolve, reject) => {
      let isStored = false
      const transaction = database.transaction('shares', 'readwrite')
      const shares = transaction.objectStore('shares')
      const stored: IDBRequest<File[][]> = shares.getAll()
      stored.onsuccess = () => {
        const all = [...stored.result.flat(), ...files]
        const bytes = all.reduce((sum, { size }) => sum + size, 0)
        if (all.length > MAX_FILES || bytes > MAX_BYTES) return
        // Keys sort by time.
        shares.put(files, `${Date.now()}-${crypto.randomUUID()}`)
        isStored = true
      }
      transaction.oncomplete = () => resolve(isStored)
      transaction.onabort = () => reject(transaction.error)
    })
  } finally {
    database.close()
  }
}

/** Stores the files of a share, and opens the page with the outcome in its URL. */
async function receiveShare(request: Request): Promise<Response> {
  const files = filesOf(await request.formData())
  if (files.length === 0) return openPage('empty')
  return openPage((await storeShare(files)) ? 'stored' : 'too-much')
}

const openPage = (outcome: string): Response =>
  Response.redirect(new URL(`?shared=${outcome}`, new URL(PAGE, self.location.origin)), 303)

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
  if (origin !== self.location.origin || !pathname.startsWith(PAGE)) return
  const path = pathname.slice(PAGE.length)
  if (request.method === 'POST' && path === SHARE_PATH && request.mode === 'navigate') {
    event.respondWith(receiveShare(request).catch(() => openPage('failed')))
  }
  if (request.method !== 'GET') return
  if (ASSETS.includes(path)) event.respondWith(storedFirst(request, pathname))
  else if (path === '' ? request.mode === 'navigate' : UNHASHED.includes(path)) {
    event.respondWith(serverFirst(request, pathname))
  }
})
