import { execFileSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { basename, delimiter, join } from 'node:path'
import { chromium as playwrightChromium } from '@playwright/test'

/** An executable Chromium and its source. */
export interface Chromium {
  path: string
  source: 'CHROMIUM_PATH' | 'this system' | 'Playwright' | "Debian's package manager"
}

/** A `whole` Chromium has its own window. `any` also accepts the headless shell, and prefers it. */
export type ChromiumKind = 'any' | 'whole'

/**
 * Chromium without its own window: the same engine, in a Debian package of the same version. The browser
 * tests need about a quarter less CPU with it.
 */
const SHELLS: readonly [string, string] = ['chromium-headless-shell', 'chrome-headless-shell']
const WHOLE = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** Debian's packages by kind. They have the names of their commands. */
const PACKAGES = { any: ['chromium-headless-shell', 'chromium'], whole: ['chromium'] }

/**
 * Finds a Chromium: from `CHROMIUM_PATH`, then from the system, then from Playwright.
 *
 * @returns `null` if no Chromium is installed.
 * @throws If `CHROMIUM_PATH` is set and cannot be run: using another browser instead would hide that.
 */
export function findChromium(
  kind: ChromiumKind = 'any',
  env: NodeJS.ProcessEnv = process.env,
): Chromium | null {
  if (env.CHROMIUM_PATH) {
    if (isExecutable(env.CHROMIUM_PATH)) return { path: env.CHROMIUM_PATH, source: 'CHROMIUM_PATH' }
    throw new Error(`CHROMIUM_PATH names ${env.CHROMIUM_PATH}, which cannot be run.`)
  }
  const path = findOnPath(kind === 'any' ? [...SHELLS, ...WHOLE] : WHOLE, env)
  if (path !== undefined) return { path, source: 'this system' }
  const ownPath = playwrightChromium.executablePath()
  return isExecutable(ownPath) ? { path: ownPath, source: 'Playwright' } : null
}

/**
 * Finds a Chromium, or installs Debian's if the user has the rights to do so. Beside a Chromium with a window of
 * the system, it installs the headless shell.
 *
 * @throws If Chromium is missing and cannot be installed. The message tells how to install it.
 */
export function findOrInstallChromium(kind: ChromiumKind = 'any'): Chromium {
  const found = findChromium(kind)
  const hasApt = canInstallPackages()
  if (found !== null) return wantsShell(found, kind) && hasApt ? installShell(found) : found
  const packages = PACKAGES[kind]
  if (!hasApt) {
    throw new Error(
      `No Chromium was found. Install one (Debian: apt-get install ${packages[0]}; elsewhere: npx playwright install chromium), or name one in CHROMIUM_PATH.`,
    )
  }
  aptGet('update', '-qq')
  for (const name of packages) {
    console.log(`No Chromium was found: installing Debian's (apt-get install ${name}).`)
    try {
      aptGet('install', '-y', '-qq', '--no-install-recommends', name)
      break
    } catch (error) {
      // Older releases have no package of the shell.
      if (name === packages.at(-1)) throw error
    }
  }
  const installed = findChromium(kind)
  if (installed === null) throw new Error('apt-get installed Chromium, but it was not found.')
  return { path: installed.path, source: "Debian's package manager" }
}

/** True if the headless shell would make the tests cheaper. The user's choice of a browser stays. */
export function wantsShell({ path, source }: Chromium, kind: ChromiumKind): boolean {
  return kind === 'any' && source === 'this system' && !SHELLS.includes(basename(path))
}

/** Installs the headless shell, or returns the Chromium that was found if that fails, as without a network. */
function installShell(found: Chromium): Chromium {
  console.log(`Installing ${SHELLS[0]}, with which browser tests need a quarter less CPU.`)
  try {
    aptGet('update', '-qq', '-o', 'Acquire::Retries=0')
    aptGet('install', '-y', '-qq', '--no-install-recommends', SHELLS[0])
  } catch {
    return found
  }
  return findChromium() ?? found
}

/** Debian's package has the name of its command. */
const FIREFOX_PACKAGE = 'firefox-esr'
const FIREFOX_COMMANDS = [FIREFOX_PACKAGE, 'firefox']

/**
 * Finds a Firefox: from `FIREFOX_PATH`, then from the system.
 *
 * @returns `null` if no Firefox is installed.
 * @throws If `FIREFOX_PATH` is set and cannot be run: using another browser instead would hide that.
 */
export function findFirefox(env: NodeJS.ProcessEnv = process.env): string | null {
  if (!env.FIREFOX_PATH) return findOnPath(FIREFOX_COMMANDS, env) ?? null
  if (isExecutable(env.FIREFOX_PATH)) return env.FIREFOX_PATH
  throw new Error(`FIREFOX_PATH names ${env.FIREFOX_PATH}, which cannot be run.`)
}

/**
 * Finds a Firefox, or installs Debian's if the user has the rights to do so.
 *
 * @throws If Firefox is missing and cannot be installed. The message tells how to install it.
 */
export function findOrInstallFirefox(): string {
  const found = findFirefox()
  if (found !== null) return found
  if (!canInstallPackages()) {
    throw new Error(
      `No Firefox was found. Install one (Debian: apt-get install ${FIREFOX_PACKAGE}), or name one in FIREFOX_PATH.`,
    )
  }
  console.log(`No Firefox was found: installing Debian's (apt-get install ${FIREFOX_PACKAGE}).`)
  aptGet('update', '-qq')
  aptGet('install', '-y', '-qq', '--no-install-recommends', FIREFOX_PACKAGE)
  const installed = findFirefox()
  if (installed === null) throw new Error('apt-get installed Firefox, but it was not found.')
  return installed
}

/** Returns the path of the first of these commands that the system has. */
function findOnPath(commands: readonly string[], env: NodeJS.ProcessEnv): string | undefined {
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return commands
    .flatMap((command) => folders.map((folder) => join(folder, command)))
    .find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** True if this user may install Debian's packages. */
function canInstallPackages(): boolean {
  return process.getuid?.() === 0 && isExecutable('/usr/bin/apt-get')
}

function aptGet(...args: string[]): void {
  execFileSync('apt-get', args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
}
