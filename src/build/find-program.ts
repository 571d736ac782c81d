import { execFileSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Returns the path of the first of these commands that the system has. */
export function findOnPath(
  commands: readonly string[],
  env: NodeJS.ProcessEnv,
): string | undefined {
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return commands
    .flatMap((command) => folders.map((folder) => join(folder, command)))
    .find(isExecutable)
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** True if this user may install Debian's packages. */
export function canInstallPackages(): boolean {
  return process.getuid?.() === 0 && isExecutable('/usr/bin/apt-get')
}

export function aptGet(...args: string[]): void {
  execFileSync('apt-get', args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
}
