/** How often it is looked whether npm is still there, in milliseconds. */
const LOOK_EVERY_MS = 500

/**
 * Sends this process a SIGTERM when npm has gone, if npm started it.
 *
 * npm hands a SIGTERM to the shell that it runs scripts in, which dies of it and tells nobody: what runs
 * in it would live on, its parent gone.
 */
export function stopWithNpm(): void {
  if (process.env.npm_lifecycle_event === undefined) return
  const shell = process.ppid
  const look = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(look) // a second signal would cut off what stops in order
    process.kill(process.pid, 'SIGTERM')
  }, LOOK_EVERY_MS)
  look.unref()
}
