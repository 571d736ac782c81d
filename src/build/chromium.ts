import { execFileSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium as playwrightChromium } from '@playwright/test'

/** A Chromium that can be started, and how it was found. */
export interface Chromium {
  path: string
  source: 'CHROMIUM_PATH' | 'this system' | 'Playwright' | "Debian's package manager"
}

const COMMANDS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/**
 * The Chromium to test in: the one that `CHROMIUM_PATH` names, else the system's, else Playwright's.
 *
 * @returns `null` when there is none.
 * @throws When `CHROMIUM_PATH` is set and cannot be run: another browser in its place would hide that.
 */
export function findChromium(env: NodeJS.ProcessEnv = process.env): Chromium | null {
  if (env.CHROMIUM_PATH) {
    if (isExecutable(env.CHROMIUM_PATH)) return { path: env.CHROMIUM_PATH, source: 'CHROMIUM_PATH' }
    throw new Error(`CHROMIUM_PATH names ${env.CHROMIUM_PATH}, which cannot be run.`)
  }
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  const ofSystem = COMMANDS.flatMap((command) => folders.map((folder) => join(folder, command)))
  const path = ofSystem.find(isExecutable)
  if (path !== undefined) return { path, source: 'this system' }
  const ownPath = playwrightChromium.executablePath()
  return isExecutable(ownPath) ? { path: ownPath, source: 'Playwright' } : null
}

/**
 * Finds a Chromium, or has Debian's package manager install one where the user may do that.
 *
 * @throws When there is none and none can be installed; the message says what a person can do.
 */
export function findOrInstallChromium(): Chromium {
  const found = findChromium()
  if (found !== null) return found
  if (process.getuid?.() !== 0 || !isExecutable('/usr/bin/apt-get')) {
    throw new Error(
      'No Chromium was found. Install one (Debian: apt-get install chromium; elsewhere: npx playwright install chromium), or name one in CHROMIUM_PATH.',
    )
  }
  console.log("No Chromium was found: installing Debian's (apt-get install chromium).")
  aptGet('update', '-qq')
  aptGet('install', '-y', '-qq', '--no-install-recommends', 'chromium')
  const installed = findChromium()
  if (installed === null) throw new Error('apt-get installed chromium, yet no Chromium was found.')
  return { path: installed.path, source: "Debian's package manager" }
}

function aptGet(...args: string[]): void {
  execFileSync('apt-get', args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
