import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** The environment variable that marks a process and all of its descendants. */
const MARK = 'TEST_PROCESS_MARK'

const CHECK_EVERY_MS = 100

/** Only Linux shows the environment of other processes. */
export const canFindLeftProcesses = process.platform === 'linux'

export interface LeftProcess {
  pid: number
  /** With its arguments. */
  command: string
}

/**
 * Returns variables that all descendants of a process inherit, including those whose parent has ended and
 * those in another process group or session.
 */
export function markedEnvironment(): { [MARK]: string } {
  return { [MARK]: randomUUID() }
}

/**
 * Kills the processes that were started with this environment and have not ended after `graceMs`.
 *
 * @returns The killed processes. Always empty on systems other than Linux.
 */
export async function killLeftProcesses(
  { [MARK]: mark }: { [MARK]: string },
  graceMs: number,
): Promise<LeftProcess[]> {
  if (!canFindLeftProcesses) return []
  const deadline = performance.now() + graceMs
  let left = await findMarked(mark)
  while (left.length > 0 && performance.now() < deadline) {
    await sleep(CHECK_EVERY_MS)
    left = await findMarked(mark)
  }
  const killed = left
  while (left.length > 0) {
    for (const { pid } of left) kill(pid)
    await sleep(CHECK_EVERY_MS)
    left = await findMarked(mark) // a killed process may have started another one just before
  }
  return killed
}

async function findMarked(mark: string): Promise<LeftProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const found = await Promise.all(
    pids.map(async (pid): Promise<LeftProcess[]> => {
      // Processes of other users cannot be read, and any process may end meanwhile. A zombie has no environment.
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
      if (!environment.split('\0').includes(`${MARK}=${mark}`)) return []
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      return [{ pid, command: command.replaceAll('\0', ' ').trim() }]
    }),
  )
  return found.flat().filter(({ pid }) => pid !== process.pid)
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
