import type { Import } from '#client/index.ts'

const CUT_OFF = 'The server was stopped meanwhile. Started again, it goes on where it was.'

/**
 * A server that was started anew knows nothing of the imports that it was stopped in: they are told of as
 * failed, so that they can be started again.
 *
 * @param before - What was last told.
 * @param now - What the server says, newest first.
 * @returns All of them, newest first.
 */
export function withCutOff(before: readonly Import[], now: readonly Import[]): Import[] {
  const known = new Set(now.map(({ import_id }) => import_id))
  const cutOff = before.flatMap((one): Import[] => {
    if (known.has(one.import_id) || one.dry_run) return []
    if (one.error === CUT_OFF) return [one]
    return one.ended_at === null ? [{ ...one, state: 'failed', error: CUT_OFF }] : []
  })
  return [...now, ...cutOff]
}
