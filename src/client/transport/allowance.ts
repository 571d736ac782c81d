import { LIMIT_WINDOW_MS } from '#contract/limits.ts'

/** The shortest wait for a place that the server says is free at once, and yet said it had none. */
const SHORTEST_WAIT_MS = 250

/** Places not used up to the last where others send too: what is known of them is as old as the last answer. */
const PLACES_FOR_OTHERS = 2

/** What the server last said: places left, counting only what it has seen, and when one more frees. */
interface Report {
  readonly remaining: number
  readonly at: number
  readonly nextAt: number
  /** Places that others may have taken since. */
  readonly margin: number
}

/**
 * What may still be sent under one limit in any sixty seconds.
 *
 * Two counts, and the stricter one holds. Our own: a request counts from its start until sixty
 * seconds after its answer, because a browser may hold a request back before the server sees it. And
 * the server's, which also knows what other tabs and scripts sent.
 */
export class Allowance {
  #quota: number | null = null
  #windowMs = LIMIT_WINDOW_MS
  #inFlight = 0
  #answeredAt: number[] = []
  #report: Report | null = null
  #blockedUntil = 0

  /** Sets the limit; null means none. */
  setQuota(quota: number | null, windowMs = LIMIT_WINDOW_MS): void {
    this.#quota = quota
    this.#windowMs = windowMs
  }

  /** What the server says is left, and in how many milliseconds one more frees. */
  report(remaining: number, nextInMs: number, now: number): void {
    const ownCount = this.#inFlight + this.#answeredAt.length
    const isShared = this.#quota !== null && this.#quota - remaining > ownCount
    this.#report = {
      // Those under way may not have been counted yet.
      remaining: remaining - this.#inFlight,
      at: now,
      nextAt: now + Math.max(nextInMs, SHORTEST_WAIT_MS),
      margin: isShared ? PLACES_FOR_OTHERS : 0,
    }
  }

  /** The server refused: nothing goes before that time. */
  blockUntil(time: number): void {
    this.#blockedUntil = Math.max(this.#blockedUntil, time)
  }

  /**
   * When one more request may go, leaving so many places free: `now` or earlier if at once,
   * Infinity if an answer must come first.
   */
  freeAt(now: number, placesToLeave: number): number {
    return Math.max(
      this.#blockedUntil,
      this.#freeByOwnCount(now, placesToLeave),
      this.#freeByReport(now, placesToLeave),
    )
  }

  /** Counts a request that goes now. */
  start(now: number): void {
    this.#inFlight++
    if (this.#report === null) return
    const isProbe = this.#report.remaining <= this.#report.margin
    // A probe uses the one place that has surely freed; its answer tells of the others.
    this.#report = isProbe
      ? { ...this.#report, nextAt: now + 1000 }
      : { ...this.#report, remaining: this.#report.remaining - 1 }
  }

  /** Counts its answer, or that none came. */
  finish(now: number): void {
    this.#inFlight--
    this.#answeredAt.push(now)
  }

  #freeByOwnCount(now: number, placesToLeave: number): number {
    if (this.#quota === null) return now
    this.#answeredAt = this.#answeredAt.filter((time) => time + this.#windowMs > now)
    const places = Math.max(this.#quota - placesToLeave, 1)
    const tooMany = this.#inFlight + this.#answeredAt.length + 1 - places
    if (tooMany <= 0) return now
    const last = this.#answeredAt[tooMany - 1]
    return last === undefined ? Number.POSITIVE_INFINITY : last + this.#windowMs
  }

  #freeByReport(now: number, placesToLeave: number): number {
    const report = this.#report
    if (report === null || report.remaining > placesToLeave + report.margin) return now
    // After a whole window everything that the server had counted is past.
    const isOver = now >= report.at + this.#windowMs
    if (isOver) return now
    return report.remaining + 1 > placesToLeave ? report.nextAt : report.at + this.#windowMs
  }
}
