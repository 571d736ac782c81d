import { aptGet, canInstallPackages, findOnPath, isExecutable } from './find-program.ts'

/** Debian's package has the name of its command. */
const PACKAGE = 'firefox-esr'
const COMMANDS = [PACKAGE, 'firefox']

/**
 * Finds a Firefox: from `FIREFOX_PATH`, then from the system.
 *
 * @returns `null` if no Firefox is installed.
 * @throws If `FIREFOX_PATH` is set and cannot be run: using another browser instead would hide that.
 */
export function findFirefox(env: NodeJS.ProcessEnv = process.env): string | null {
  if (!env.FIREFOX_PATH) return findOnPath(COMMANDS, env) ?? null
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
      `No Firefox was found. Install one (Debian: apt-get install ${PACKAGE}), or name one in FIREFOX_PATH.`,
    )
  }
  console.log(`No Firefox was found: installing Debian's (apt-get install ${PACKAGE}).`)
  aptGet('update', '-qq')
  aptGet('install', '-y', '-qq', '--no-install-recommends', PACKAGE)
  const installed = findFirefox()
  if (installed === null) throw new Error('apt-get installed Firefox, but it was not found.')
  return installed
}
