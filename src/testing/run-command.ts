import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const mainFile = fileURLToPath(new URL('../server/main.ts', import.meta.url))

/** How a command ended, and what it said. */
export interface Ended {
  code: number | null
  out: string
  err: string
}

/** A `tessera …` that runs in a process of its own. What is set for the person who runs the tests does not count. */
export function startCommand(...args: string[]): { child: ChildProcess; ended: Promise<Ended> } {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('TESSERA_'))
  const child = spawn(process.execPath, [mainFile, ...args], { env: Object.fromEntries(own) })
  const ended = Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)])
  return { child, ended: ended.then(([[code], out, err]) => ({ code, out, err })) }
}

/** Runs `tessera …` to its end. */
export const runCommand = (...args: string[]): Promise<Ended> => startCommand(...args).ended
