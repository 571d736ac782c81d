import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { entryFile, serverEnvironment } from './server-environment.ts'

const mainFile = entryFile(new URL('../../server/main.ts', import.meta.url))

/** The exit code and the output of a command. */
export interface Ended {
  code: number | null
  out: string
  err: string
}

/** Starts `tessera …` in a process. */
export function startCommand(...args: string[]): { child: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(process.execPath, [mainFile, ...args], { env: serverEnvironment() })
  const ended = Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)])
  return { child, ended: ended.then(([[code], out, err]) => ({ code, out, err })) }
}

/** Runs `tessera …` to its end. */
export const runCommand = (...args: string[]): Promise<Ended> => startCommand(...args).ended
