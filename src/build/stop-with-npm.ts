/** Interval in ms between the checks for npm. */
const LOOK_EVERY_MS = 500

/**
 * Sends this process a SIGTERM when npm has exited, if npm started it.
 *
 * npm forwards a SIGTERM to the shell that runs a script. The shell dies without forwarding it, so that the
 * script would live on without a parent.
 */
export function stopWithNpm(): void {
  if (process.env.npm_lifecycle_event === undefined) return
  const shell = process.ppid
  const look = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(look) // a second signal would interrupt an orderly shutdown
    process.kill(process.pid, 'SIGTERM')
  }, LOOK_EVERY_MS)
  look.unref()
}
